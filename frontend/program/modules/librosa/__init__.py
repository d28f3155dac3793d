"""librosa: shapes of what is made of recordings."""

import _tilewise_audio as audio
import numpy
from _tilewise_nothing import module
from . import effects, feature, filters, util

_other = module("librosa")


def load(path, sr=22050, mono=True, offset=0.0, duration=None, dtype=None, res_type=None):
    rate = sr
    if sr is None:
        rate = _other("the rate of a recording")
    n = audio.samples(sr) if duration is None or sr is None else int(duration * sr)
    return audio.unread(n), rate


def stft(y, n_fft=2048, hop_length=None, win_length=None, window="hann", center=True,
         dtype=None, pad_mode="constant"):
    hop = hop_length or (win_length or n_fft) // 4
    return audio.unread(*y.shape[:-1], 1 + n_fft // 2,
                        audio.frames(y.shape[-1], n_fft, hop, center), kind=numpy.complex64)


def istft(stft_matrix, hop_length=None, win_length=None, n_fft=None, length=None, **rest):
    n_fft = n_fft or 2 * (stft_matrix.shape[-2] - 1)
    hop = hop_length or (win_length or n_fft) // 4
    return audio.unread(length or (stft_matrix.shape[-1] - 1) * hop)


def resample(y, orig_sr=None, target_sr=None, **rest):
    if type(orig_sr) is not int or type(target_sr) is not int:
        return audio.unread(audio.samples(target_sr))
    return audio.unread(*y.shape[:-1], -(-y.shape[-1] * target_sr // orig_sr))


def _same(S, *args, **kwargs):
    return audio.unread(*S.shape)


power_to_db = amplitude_to_db = db_to_power = db_to_amplitude = to_mono = _same


def __getattr__(name):
    return _other(name)
