"""albumentations: what becomes of the sizes of pictures and masks; numbers do not matter."""

import _tilewise
import numpy


def _sized(a, size):
    if size is None or _tilewise.is_unknown(a) or not hasattr(a, "shape"):
        return a
    return numpy.ndarray(list(size) + list(a.shape[2:]), a.dtype)


class BasicTransform:
    """One that leaves sizes as they are."""

    def __init__(self, *args, always_apply=False, p=0.5, **kwargs):
        self.p = p

    def size(self, h, w):
        return None

    def change(self, a):
        if _tilewise.is_unknown(a) or not hasattr(a, "shape"):
            return a
        return _sized(a, self.size(a.shape[0], a.shape[1]))

    def __call__(self, *args, force_apply=False, **data):
        made = dict(data)
        for name, value in data.items():
            if name in ("masks", "images") and isinstance(value, (list, tuple)):
                made[name] = [self.change(v) for v in value]
            elif name.startswith(("image", "mask")):
                made[name] = self.change(value)
        return made


ImageOnlyTransform = DualTransform = NoOp = BasicTransform


def _pair(args, kwargs):
    if "height" in kwargs:
        return kwargs["height"], kwargs["width"]
    size = kwargs.get("size", args[0] if args else None)
    if isinstance(size, (tuple, list)):
        return tuple(size)
    return (size, args[1]) if len(args) > 1 and isinstance(args[1], int) else (size, size)


class _Fixed(BasicTransform):
    """All its results are of one size."""

    def __init__(self, *args, **kwargs):
        BasicTransform.__init__(self, p=kwargs.get("p", 1.0))
        self.height, self.width = _pair(args, kwargs)

    def size(self, h, w):
        return self.height, self.width


class PadIfNeeded(BasicTransform):
    def __init__(self, min_height=1024, min_width=1024, *args, **kwargs):
        BasicTransform.__init__(self)
        self.min_height, self.min_width = min_height or 0, min_width or 0

    def size(self, h, w):
        return max(h, self.min_height), max(w, self.min_width)


class LongestMaxSize(BasicTransform):
    choose = max

    def __init__(self, max_size=1024, *args, **kwargs):
        BasicTransform.__init__(self)
        self.max_size = max_size[0] if isinstance(max_size, (list, tuple)) else max_size

    def size(self, h, w):
        scale = self.max_size / max(h, w)
        return round(h * scale), round(w * scale)


class SmallestMaxSize(LongestMaxSize):
    def size(self, h, w):
        scale = self.max_size / min(h, w)
        return round(h * scale), round(w * scale)


class ToFloat(BasicTransform):
    def change(self, a):
        known = not _tilewise.is_unknown(a) and hasattr(a, "shape")
        return numpy.ndarray(list(a.shape), "float32") if known else a


class Normalize(ToFloat):
    def __call__(self, *args, force_apply=False, **data):
        return dict(data, image=self.change(data["image"])) if "image" in data else data


class BaseCompose:
    def __init__(self, transforms=None, *args, p=1.0, additional_targets=None, **options):
        self.transforms = list(transforms or [])

    def __len__(self):
        return len(self.transforms)

    def __getitem__(self, i):
        return self.transforms[i]

    def __iter__(self):
        return iter(self.transforms)

    def _taken(self):
        return self.transforms

    def __call__(self, *args, force_apply=False, **data):
        for t in self._taken():
            data = t(**data)
        return data


class Compose(BaseCompose):
    pass


Sequential = SomeOf = Compose


class OneOf(BaseCompose):
    def _taken(self):
        return self.transforms[:1]


OneOrOther = OneOf
(Resize, RandomCrop, CenterCrop, RandomResizedCrop, RandomSizedCrop, CropNonEmptyMaskIfExists,
 RandomSizedBBoxSafeCrop) = [type(n, (_Fixed,), {}) for n in (
     "Resize", "RandomCrop", "CenterCrop", "RandomResizedCrop", "RandomSizedCrop",
     "CropNonEmptyMaskIfExists", "RandomSizedBBoxSafeCrop")]


def _resized_crop(self, *args, **kwargs):
    """Its first argument may be how large the part is that is cut out."""
    BasicTransform.__init__(self)
    if "min_max_height" in kwargs or args and isinstance(args[0], (tuple, list)) and len(args) > 2:
        args = args[1:] if args and "min_max_height" not in kwargs else args
    self.height, self.width = _pair(args, kwargs)


RandomSizedCrop.__init__ = _resized_crop


class BboxParams:
    def __init__(self, *args, **kwargs):
        pass


class KeypointParams(BboxParams):
    pass


_kinds = {}


def _kind(name):
    found = globals().get(name)
    if found is not None:
        return found
    if name not in _kinds:
        _kinds[name] = type(name, (BasicTransform,), {})
    return _kinds[name]


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return _kind(name)


from . import pytorch, augmentations
