"""Recordings, which are not read: how many samples stand for one, and frames of them."""

import _tilewise
import _tilewise_hints as hints
import numpy

_RATES = ("sampling_rate", "sample_rate", "samplerate", "sr")
_SECONDS = 5


def samples(rate=None):
    if type(rate) is not int:
        rate = hints.number(_RATES, (), 4000, 192000) or 22050
    _tilewise.note("how long a recording is is not known; " + str(_SECONDS) + " seconds of " +
                   str(rate) + " samples are assumed")
    return _SECONDS * rate


def unread(*shape, kind=numpy.float32):
    """An array whose numbers nobody knows."""
    return numpy.ndarray(shape, kind)


def frames(length, n_fft, hop, center=True):
    """How many windows there are in so many samples."""
    if center:
        length += 2 * (n_fft // 2)
    return (length - n_fft) // hop + 1
