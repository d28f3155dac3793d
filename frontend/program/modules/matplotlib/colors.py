"""matplotlib.colors: pictures in other colours have the shape that they had."""

import numpy
from _tilewise_nothing import module
from _tilewise import is_unknown


def rgb_to_hsv(arr):
    arr = numpy.array(arr)
    return arr if is_unknown(arr) else numpy.ndarray(arr.shape, numpy.float64)


hsv_to_rgb = rgb_to_hsv

__getattr__ = module("matplotlib.colors")
