import _tilewise
import _tilewise_audio as audio
import numpy
from _tilewise_nothing import module

__getattr__ = module("soundfile")


def read(file, frames=-1, start=0, stop=None, dtype="float64", always_2d=False, **rest):
    n = frames if type(frames) is int and frames > 0 else audio.samples()
    shape = (n, 1) if always_2d else (n,)
    return audio.unread(*shape, kind=numpy.dtype(dtype)), _tilewise.unknown("the rate of a recording")
