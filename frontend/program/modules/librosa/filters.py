import _tilewise_audio as audio
from _tilewise_nothing import module

__getattr__ = module("librosa.filters")


def mel(sr=22050, n_fft=2048, n_mels=128, fmin=0.0, fmax=None, htk=False, norm="slaney",
        dtype=None):
    return audio.unread(n_mels, 1 + n_fft // 2)
