"""torchaudio: recordings of an assumed length, and the shapes of what is made of them."""

import _tilewise
import _tilewise_audio as audio
import torch
from _tilewise_nothing import module
from . import compliance, functional, transforms

_other = module("torchaudio")


def load(uri, frame_offset=0, num_frames=-1, normalize=True, channels_first=True, **rest):
    n = num_frames if type(num_frames) is int and num_frames > 0 else audio.samples()
    shape = (1, n) if channels_first else (n, 1)
    return (torch.from_numpy(audio.unread(*shape)),
            _tilewise.unknown("the rate of a recording"))


def __getattr__(name):
    if name == "datasets":
        import torchaudio.datasets as made
        return made
    return _other(name)
