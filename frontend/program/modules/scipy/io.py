"""scipy.io: recordings have a length that is assumed."""

import _tilewise
import _tilewise_audio as audio
import numpy
from _tilewise_nothing import module

__getattr__ = module("scipy.io")


class wavfile:
    @staticmethod
    def read(filename, mmap=False):
        return (_tilewise.unknown("the rate of a recording"),
                audio.unread(audio.samples(), kind=numpy.int16))

    @staticmethod
    def write(filename, rate, data):
        pass
