"""torchvision.transforms: what they make of the size of a picture; its numbers do not matter."""

import _tilewise_hints as hints
from torch.nn import Module
from . import functional
from .functional import InterpolationMode


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img, *rest):
        for t in self.transforms:
            img = t(img)
        return (img,) + rest if rest else img


class _Transform(Module):
    """One that leaves the size as it is."""

    def __init__(self, *args, **kwargs):
        Module.__init__(self)

    def __call__(self, img, *rest):
        y = self.forward(img)
        return (y,) + rest if rest else y

    def forward(self, img):
        return img


class ToTensor(_Transform):
    def forward(self, pic):
        return functional.to_tensor(pic)


class PILToTensor(_Transform):
    def forward(self, pic):
        return functional.pil_to_tensor(pic)


class ConvertImageDtype(_Transform):
    def __init__(self, dtype=None):
        Module.__init__(self)
        self.dtype = dtype

    def forward(self, img):
        return functional.convert_image_dtype(img, self.dtype)


class Lambda(_Transform):
    def __init__(self, lambd):
        Module.__init__(self)
        self.lambd = lambd

    def forward(self, img):
        return self.lambd(img)


class Normalize(_Transform):
    def __init__(self, mean, std, inplace=False):
        Module.__init__(self)
        self.mean, self.std = mean, std


class Resize(_Transform):
    def __init__(self, size, interpolation=None, max_size=None, antialias=None):
        Module.__init__(self)
        self.size, self.max_size = size, max_size

    def forward(self, img):
        return functional.resize(img, self.size, max_size=self.max_size)


class _Sized(_Transform):
    """One whose results are all of one size."""

    def __init__(self, size, *args, **kwargs):
        Module.__init__(self)
        self.size = functional.pair(size)
        hints.crops.append(self.size)

    def forward(self, img):
        return functional.sized(img, *self.size)


class CenterCrop(_Sized):
    pass


class RandomCrop(_Sized):
    @staticmethod
    def get_params(img, output_size):
        """The region that is cut out: top, left, height and width."""
        h, w = functional.size_of(img)
        rows, columns = functional.pair(output_size)
        return (h - rows) // 2, (w - columns) // 2, rows, columns


class RandomResizedCrop(_Sized):
    @staticmethod
    def get_params(img, scale=None, ratio=None):
        h, w = functional.size_of(img)
        return h // 4, w // 4, max(h // 2, 1), max(w // 2, 1)


RandomSizedCrop = RandomResizedCrop


class FiveCrop(_Sized):
    def forward(self, img):
        return (functional.sized(img, *self.size),) * 5


class TenCrop(_Sized):
    def forward(self, img, *rest):
        return (functional.sized(img, *self.size),) * 10


class Pad(_Transform):
    def __init__(self, padding, fill=0, padding_mode="constant"):
        Module.__init__(self)
        p = list(padding) if isinstance(padding, (tuple, list)) else [padding]
        self.padding = p * 4 if len(p) == 1 else p * 2 if len(p) == 2 else p

    def forward(self, img):
        h, w = functional.size_of(img)
        left, top, right, bottom = self.padding
        return functional.sized(img, h + top + bottom, w + left + right)


class Grayscale(_Transform):
    def __init__(self, num_output_channels=1):
        Module.__init__(self)
        self.num_output_channels = num_output_channels

    def forward(self, img):
        return functional.to_grayscale(img, self.num_output_channels)


class RandomApply(_Transform):
    def __init__(self, transforms, p=0.5):
        Module.__init__(self)
        self.transforms = transforms

    def forward(self, img):
        for t in self.transforms:
            img = t(img)
        return img


class RandomChoice(RandomApply):
    def forward(self, img):
        return self.transforms[0](img)


class RandomOrder(RandomApply):
    pass


class ToPILImage(_Transform):
    def forward(self, pic):
        return functional.to_pil_image(pic)


def _unchanged(name):
    class Kind(_Transform):
        pass
    Kind.__name__ = Kind.__qualname__ = name
    return Kind


(RandomHorizontalFlip, RandomVerticalFlip, RandomRotation, RandomAffine, ColorJitter,
 RandomGrayscale, RandomErasing, GaussianBlur, RandomPerspective, RandomAdjustSharpness,
 RandomAutocontrast, RandomEqualize, RandomInvert, RandomPosterize, RandomSolarize, AutoAugment,
 RandAugment, TrivialAugmentWide, AugMix, ElasticTransform, LinearTransformation) = [_unchanged(n) for n in (
     "RandomHorizontalFlip", "RandomVerticalFlip", "RandomRotation", "RandomAffine", "ColorJitter",
     "RandomGrayscale", "RandomErasing", "GaussianBlur", "RandomPerspective",
     "RandomAdjustSharpness", "RandomAutocontrast", "RandomEqualize", "RandomInvert",
     "RandomPosterize", "RandomSolarize", "AutoAugment", "RandAugment", "TrivialAugmentWide",
     "AugMix", "ElasticTransform", "LinearTransformation")]


class AutoAugmentPolicy:
    IMAGENET, CIFAR10, SVHN = "imagenet", "cifar10", "svhn"


from . import transforms, autoaugment, v2
