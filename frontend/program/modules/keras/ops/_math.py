"""Segments and Fourier transforms."""

import _tilewise as _t
from keras import _leaf as _l
from keras._leaf import code, dims, floating, h_of, op, put, reshape, unary, wrap


def _segments(data, segment_ids, num_segments, kind):
    h = h_of(data)
    if num_segments is None:
        _t.note("how many segments there are is not known; as many as rows are taken")
        num_segments = dims(h)[0]
    start = _l.full(0 if kind == "add" else -3e38, (int(num_segments),) + tuple(dims(h)[1:]),
                    code(h))
    return wrap(op("tw.scatter", [start, put(h_of(segment_ids), "s32"), h],
                   {"axis": 0, "kind": kind}))


def segment_sum(data, segment_ids, num_segments=None, sorted=False):
    return _segments(data, segment_ids, num_segments, "add")


def segment_max(data, segment_ids, num_segments=None, sorted=False):
    return _segments(data, segment_ids, num_segments, "max")


def _complex(x):
    if isinstance(x, (tuple, list)):
        return op("tw.complex", [floating(h_of(x[0])), floating(h_of(x[1]))])
    return h_of(x)


def _dft(h, axis, inverse=False, onesided=False):
    """Of pairs (real, imaginary) along a last dim."""
    if code(h) in ("c64", "c128"):
        h = op("tw.stack", [unary("real", h), unary("imag", h)], {"dim": len(dims(h))})
    else:
        h = _l.expand(floating(h), -1)
    axis = axis % (len(dims(h)) - 1)
    return op("onnx.DFT", [h], {"axis": axis, "inverse": int(inverse),
                                "onesided": int(onesided)})


def _parts(h):
    n = len(dims(h)) - 1
    return wrap(_l.at(h, n, 0)), wrap(_l.at(h, n, 1))


def fft(x):
    return _parts(_dft(_complex(x), -1))


def fft2(x):
    h = _dft(_complex(x), -1)
    a, b = _parts(h)
    return _parts(_dft(op("tw.complex", [a._h, b._h]), -2))


def ifft2(x):
    return fft2(x)


def _sized(h, n):
    if n is None or n == dims(h)[-1]:
        return h
    if n < dims(h)[-1]:
        return _l.cut(h, -1, 0, n)
    low = [0] * len(dims(h))
    return _l.pad(h, low, low[:-1] + [n - dims(h)[-1]])


def rfft(x, fft_length=None):
    return _parts(_dft(_sized(floating(h_of(x)), fft_length), -1, onesided=True))


def irfft(x, fft_length=None):
    h = _complex(x)
    n = fft_length or 2 * (dims(h)[-1] - 1)
    a, b = _parts(_dft(h, -1, inverse=True))
    y = _l.add(a._h, b._h)
    return wrap(_sized(_l.concat([y, y], -1), n))


def extract_sequences(x, sequence_length, sequence_stride):
    h = h_of(x)
    n = (dims(h)[-1] - sequence_length) // sequence_stride + 1
    starts = _l.mul(_l.iota(n), int(sequence_stride))
    places = _l.add(_l.expand(starts, -1), _l.iota(sequence_length))
    return wrap(op("tw.take", [h, places], {"axis": len(dims(h)) - 1}))


def stft(x, sequence_length, sequence_stride, fft_length, window="hann", center=True):
    h = floating(h_of(x))
    if center:
        low = [0] * (len(dims(h)) - 1) + [fft_length // 2]
        h = _l.pad(h, low, low, mode="reflect")
    frames = extract_sequences(wrap(h), fft_length, sequence_stride)._h
    if window is not None:
        frames = _l.mul(frames, _l.full(0.5, [fft_length], code(frames)))
    return _parts(_dft(frames, -1, onesided=True))


def istft(x, sequence_length, sequence_stride, fft_length, length=None, window="hann",
          center=True):
    y = irfft(x, fft_length)._h
    frames, size = dims(y)[-2], dims(y)[-1]
    n = length or (frames - 1) * sequence_stride + size - (fft_length if center else 0)
    flat = reshape(y, tuple(dims(y)[:-2]) + (frames * size,))
    return wrap(_sized(flat, n))


def view_as_complex(x):
    h = h_of(x)
    n = len(dims(h)) - 1
    return wrap(op("tw.complex", [_l.at(h, n, 0), _l.at(h, n, 1)]))


def view_as_real(x):
    h = h_of(x)
    return wrap(op("tw.stack", [unary("real", h), unary("imag", h)], {"dim": len(dims(h))}))
