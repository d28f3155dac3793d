from .. import *
from .. import functional
from .. import _Transform


class ToImage(_Transform):
    def forward(self, pic):
        return functional.pil_to_tensor(pic)


class ToDtype(_Transform):
    def __init__(self, dtype, scale=False):
        _Transform.__init__(self)
        self.dtype = dtype

    def forward(self, img):
        return img.to(self.dtype)


ToImageTensor = ToImage
RandomPhotometricDistort = RandomZoomOut = Identity = CutMix = MixUp = _Transform
ClampBoundingBoxes = _Transform
