from _tilewise_nothing import module
import numpy

__getattr__ = module("scipy.signal")


def get_window(window, Nx, fftbins=True):
    return numpy.ndarray((Nx,), numpy.float64)


class windows:
    @staticmethod
    def hann(M, sym=True):
        return get_window("hann", M)

    hamming = blackman = triang = hann


def lfilter(b, a, x, axis=-1, zi=None):
    return x
