"""What the weights of torchvision's models ask of their pictures."""

from torch.nn import Module
from . import functional as F
from .functional import InterpolationMode


class ImageClassification(Module):
    def __init__(self, *, crop_size, resize_size=256, mean=(0.485, 0.456, 0.406),
                 std=(0.229, 0.224, 0.225), interpolation=None, antialias=None):
        Module.__init__(self)
        self.crop_size = [crop_size]

    def forward(self, img):
        return F.to_tensor(F.center_crop(img, self.crop_size))


class _AsTensor(Module):
    def __init__(self, **options):
        Module.__init__(self)

    def forward(self, *images):
        images = tuple([F.to_tensor(i) for i in images])
        return images if len(images) > 1 else images[0]


ObjectDetection = VideoClassification = SemanticSegmentation = OpticalFlow = _AsTensor
StereoMatching = _AsTensor
