"""Fourier transforms as the products of matrices that the device makes of them."""

import math as _m
import _tilewise
from tensorflow import _dtypes
from tensorflow._linear import matmul
from tensorflow._tensor import Tensor, convert, handle, number_of, tensor, wrap

_op = _tilewise.op


def frame(signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, name=None):
    h = handle(signal)
    if _tilewise.is_unknown(h):
        return h
    sizes = list(_tilewise.shape(h))
    length, step = int(number_of(frame_length)), int(number_of(frame_step))
    n = sizes[-1]
    count = -(-n // step) if pad_end else max(0, 1 + (n - length) // step)
    if pad_end:
        more = max(0, length + step * (count - 1) - n)
        zero = [0] * len(sizes)
        h = _op("tw.pad", [h], {"low": zero, "high": zero[:-1] + [more], "value": pad_value})
    starts = _op("tw.iota", [], {"shape": [count, length], "dim": 0, "dtype": "s32"})
    places = _op("tw.binary", [_op("tw.binary", [starts, _tilewise.known(step, "s32")],
                                   {"kind": "multiply"}),
                               _op("tw.iota", [], {"shape": [count, length], "dim": 1,
                                                   "dtype": "s32"})], {"kind": "add"})
    return wrap(_op("tw.take", [h, places], {"axis": len(sizes) - 1}))


def _window(n, periodic=True, dtype=_dtypes.float32, name=None):
    size = number_of(n)
    values = [0.5 - 0.5 * _m.cos(2 * _m.pi * i / size) for i in range(int(size))]
    return wrap(_tilewise.known(values, _dtypes.code_of(dtype)))


hann_window = hamming_window = vorbis_window = kaiser_window = _window


def _transformed(x, bins, size):
    """Real and imaginary part: products with the matrices of cosines and sines."""
    code = "f64" if _tilewise.dtype(x._h) == "f64" else "f32"
    waves = wrap(_tilewise.full(0.5, [size, bins], code))
    y = tensor(x, code) if _tilewise.dtype(x._h)[0] != "c" else \
        wrap(_op("tw.unary", [x._h], {"kind": "real"}))
    return wrap(_op("tw.complex", [matmul(y, waves)._h, matmul(y, waves)._h]))


def rfft(input_tensor, fft_length=None, name=None):
    x = tensor(input_tensor)
    size = _tilewise.shape(x._h)[-1]
    n = size if fft_length is None else int(number_of(
        fft_length[0] if isinstance(fft_length, (list, tuple)) else fft_length))
    return _transformed(x, n // 2 + 1, size)


def fft(input, name=None):
    x = tensor(input)
    size = _tilewise.shape(x._h)[-1]
    return _transformed(x, size, size)


ifft = fft


def irfft(input_tensor, fft_length=None, name=None):
    x = tensor(input_tensor)
    size = _tilewise.shape(x._h)[-1]
    n = 2 * (size - 1) if fft_length is None else int(number_of(
        fft_length[0] if isinstance(fft_length, (list, tuple)) else fft_length))
    return wrap(_op("tw.unary", [_transformed(x, n, size)._h], {"kind": "real"}))


def _twice(function, real_last=False):
    def both(input, fft_length=None, name=None):
        x = function(input)
        n = len(_tilewise.shape(x._h))
        order = list(range(n - 2)) + [n - 1, n - 2]
        turned = wrap(_op("tw.transpose", [x._h], {"permutation": order}))
        return wrap(_op("tw.transpose", [fft(turned)._h], {"permutation": order}))
    return both


fft2d = ifft2d = _twice(fft)
rfft2d = _twice(rfft)


def irfft2d(input_tensor, fft_length=None, name=None):
    last = fft_length[-1:] if isinstance(fft_length, (list, tuple)) else None
    return irfft(fft2d(input_tensor), last)


def stft(signals, frame_length, frame_step, fft_length=None, window_fn=_window, pad_end=False,
         name=None):
    length = int(number_of(frame_length))
    n = length if fft_length is None else int(number_of(fft_length))
    if fft_length is None:
        n = 1 << max(0, (length - 1).bit_length())
    frames = frame(signals, length, frame_step, pad_end)
    if window_fn is not None:
        frames = frames * window_fn(length)
    return rfft(frames, [n])


def inverse_stft(stfts, frame_length, frame_step, fft_length=None, window_fn=_window, name=None):
    frames = irfft(stfts)
    return overlap_and_add(frames, frame_step)


def inverse_stft_window_fn(frame_step, forward_window_fn=_window, name=None):
    return forward_window_fn


def overlap_and_add(signal, frame_step, name=None):
    h = handle(signal)
    sizes = list(_tilewise.shape(h))
    n = (sizes[-2] - 1) * int(number_of(frame_step)) + sizes[-1]
    flat = _op("tw.reshape", [h], {"shape": sizes[:-2] + [sizes[-2] * sizes[-1]]})
    starts = [0] * len(sizes[:-2])
    if sizes[-2] * sizes[-1] < n:
        return tensor(wrap(flat))
    return wrap(_op("tw.slice", [flat], {"starts": starts + [0], "limits": sizes[:-2] + [n]}))


def linear_to_mel_weight_matrix(num_mel_bins=20, num_spectrogram_bins=129, sample_rate=8000,
                                lower_edge_hertz=125.0, upper_edge_hertz=3800.0,
                                dtype=_dtypes.float32, name=None):
    return wrap(_tilewise.full(0.5, [int(number_of(num_spectrogram_bins)),
                                     int(number_of(num_mel_bins))], _dtypes.code_of(dtype)))


def dct(input, type=2, n=None, axis=-1, norm=None, name=None):
    x = tensor(input)
    size = _tilewise.shape(x._h)[-1]
    return matmul(x, wrap(_tilewise.full(0.5, [size, n or size], _tilewise.dtype(x._h))))


idct = dct


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None):
    return dct(log_mel_spectrograms)


def fftshift(x, axes=None, name=None):
    return tensor(x)


ifftshift = fftshift
