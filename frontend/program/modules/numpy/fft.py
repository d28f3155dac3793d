"""numpy.fft: the shapes of its results."""

from . import array, complex128, float64, ndarray


def _made(a, n, axis, kind, change):
    shape = list(a.shape)
    shape[axis] = change(shape[axis] if n is None else n)
    return ndarray(shape, kind)


def fft(a, n=None, axis=-1, norm=None):
    return _made(a, n, axis, complex128, lambda k: k)


ifft = fft


def rfft(a, n=None, axis=-1, norm=None):
    return _made(a, n, axis, complex128, lambda k: k // 2 + 1)


def irfft(a, n=None, axis=-1, norm=None):
    return _made(a, n, axis, float64, lambda k: k if n is not None else 2 * (k - 1))


def fft2(a, s=None, axes=(-2, -1), norm=None):
    return ndarray(a.shape, complex128)


ifft2 = fftn = ifftn = fft2


def fftshift(x, axes=None):
    return x


ifftshift = fftshift


def rfft2(a, s=None, axes=(-2, -1), norm=None):
    return rfft(a, None, axes[-1])


rfftn = rfft2


def irfft2(a, s=None, axes=(-2, -1), norm=None):
    return irfft(a, None if s is None else s[-1], axes[-1])


def fftfreq(n, d=1.0):
    return array([(i if i < (n + 1) // 2 else i - n) / (n * d) for i in range(n)])


def rfftfreq(n, d=1.0):
    return array([i / (n * d) for i in range(n // 2 + 1)])
