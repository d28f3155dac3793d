"""jax.numpy.fft as shapes: the arithmetic of a transform is not counted."""

import _tilewise as _t
from jax import _core as _c
from jax._core import as_array, unary


def _transform(x, axes=None):
    x = as_array(x)
    _t.note("a Fourier transform is counted as one pass over its numbers")
    return unary("negate", _c.convert(x, _c.complex64))


def fft(x, n=None, axis=-1, norm=None):
    return _transform(x)


def ifft(x, n=None, axis=-1, norm=None):
    return _transform(x)


def fft2(x, s=None, axes=(-2, -1), norm=None):
    return _transform(x)


def ifft2(x, s=None, axes=(-2, -1), norm=None):
    return _transform(x)


def fftn(x, s=None, axes=None, norm=None):
    return _transform(x)


def ifftn(x, s=None, axes=None, norm=None):
    return _transform(x)


def rfft(x, n=None, axis=-1, norm=None):
    r = _transform(x)
    limits = list(r.shape)
    limits[axis] = limits[axis] // 2 + 1
    return _c.slice_(r, [0] * len(limits), limits)


def irfft(x, n=None, axis=-1, norm=None):
    r = as_array(x)
    n = n or 2 * (r.shape[axis] - 1)
    shape = list(r.shape)
    shape[axis] = 1
    r = unary("real", _c.slice_(r, [0] * len(shape), shape))
    shape[axis] = n
    return _c.broadcast_to(r, shape)


def fftfreq(n, d=1.0, **kw):
    return _c.known([(i if i < (n + 1) // 2 else i - n) / (n * d) for i in range(n)], _c.float32)


def fftshift(x, axes=None):
    return as_array(x)


ifftshift = fftshift
