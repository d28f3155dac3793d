from .._layers import PixelShuffle, PixelUnshuffle
