import _tilewise_audio as audio
from _tilewise_nothing import module

__getattr__ = module("librosa.util")


def normalize(S, norm=None, axis=0, threshold=None, fill=None):
    return audio.unread(*S.shape)


def pad_center(data, size, axis=-1, **kwargs):
    shape = list(data.shape)
    shape[axis] = size
    return audio.unread(*shape)


def fix_length(data, size, axis=-1, **kwargs):
    return pad_center(data, size, axis)


def tiny(x):
    return 1.1754943508222875e-38
