"""What transforms give is not known; those that cut parts out say how large these are."""

import _tilewise
import _tilewise_hints as hints

def parts_of(transforms):
    """How many parts of an image an example is."""
    return max([1] + [getattr(t, "parts", 1) for t in transforms])


class Compose:
    def __init__(self, transforms=None, *args, **kwargs):
        self.transforms = list(transforms or [])
        self.parts = parts_of(self.transforms)

    def __call__(self, data, *args, **kwargs):
        return _tilewise.unknown("what transforms of monai give")

    def flatten(self):
        return self

    def set_random_state(self, *args, **kwargs):
        return self


class Transform:
    """One that leaves sizes as they are, or any whose sizes are not told."""
    parts = 1

    def __init__(self, *args, **kwargs):
        size = None
        for name in ("spatial_size", "roi_size", "patch_size"):
            size = kwargs.get(name, size)
        n = kwargs.get("num_samples", 1)
        if type(n) is int and n > 1:
            self.parts = n
        if isinstance(size, int):
            size = (size, size)
        if isinstance(size, (list, tuple)) and all([type(k) is int and k > 0 for k in size]):
            hints.crops.append(tuple(size))

    def __call__(self, data, *args, **kwargs):
        return _tilewise.unknown("what transforms of monai give")

    def set_random_state(self, *args, **kwargs):
        return self


Randomizable = MapTransform = RandomizableTransform = MultiSampleTrait = Transform


class _Sized(Transform):
    """The size is the first argument, behind the keys of those of dictionaries."""
    at = 0

    def __init__(self, *args, **kwargs):
        if len(args) > self.at and "spatial_size" not in kwargs:
            kwargs["spatial_size"] = args[self.at]
        super().__init__(*args, **kwargs)


_SIZED = ("Resize", "RandSpatialCrop", "CenterSpatialCrop", "RandCropByPosNegLabel", "SpatialPad",
          "ResizeWithPadOrCrop", "RandSpatialCropSamples", "RandCropByLabelClasses",
          "RandWeightedCrop")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    stem = name[:-1] if name.endswith(("d", "D")) and name[:-1] in _SIZED else \
        name[:-4] if name.endswith("Dict") else name
    if stem not in _SIZED or stem == "RandCropByPosNegLabel" and stem == name:
        return Transform
    # Of dictionaries, keys (and the name of the labels) stand before.
    at = 0 if stem == name else 2 if "Label" in stem else 1
    made = type(name, (_Sized,), {"at": at})
    globals()[name] = made
    return made
