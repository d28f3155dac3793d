"""tfio.audio."""

import _tilewise


def decode_wav(input, shape=None, dtype=None, name=None):
    from tensorflow._strings import outside
    return outside([None, None], dtype or "int16", "audio")


def decode_flac(input, shape=None, dtype=None, name=None):
    return decode_wav(input, shape, dtype or "int16")


def decode_mp3(input, shape=None, name=None):
    return decode_wav(input, shape, "float32")


decode_vorbis = decode_aac = decode_mp3


def resample(input, rate_in, rate_out, name=None):
    """The number of samples follows the rates where both are known."""
    from tensorflow._strings import outside
    from tensorflow._tensor import number_of
    sizes = list(input.shape)
    a, b = number_of(rate_in), number_of(rate_out)
    at = 0 if len(sizes) < 3 else 1
    n = sizes[at]
    sizes[at] = None if n is None or not a or b is None else int(n * b // a)
    return outside(sizes, input.dtype, "audio")


def spectrogram(input, nfft, window, stride, name=None):
    from tensorflow._strings import outside
    sizes = list(input.shape)
    n = None if sizes[-1] is None else -(-sizes[-1] // int(stride))
    return outside(sizes[:-1] + [n, int(nfft) // 2 + 1], "float32", "a spectrogram")


def melscale(input, rate, mels, fmin, fmax, name=None):
    from tensorflow._strings import outside
    return outside(list(input.shape)[:-1] + [int(mels)], "float32", "a spectrogram")


def _same(input, *args, **kwargs):
    return input


dbscale = freq_mask = time_mask = fade = _same


def __getattr__(name):
    return _tilewise.unknown("tensorflow_io.audio." + name)
