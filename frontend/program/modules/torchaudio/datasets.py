"""Data sets of recordings, with the number of their recordings."""

import torch
import torchaudio
from torch.utils.data import Dataset
from _tilewise_nothing import module

_SIZES = {"LIBRISPEECH": 28539, "SPEECHCOMMANDS": 105829, "LJSPEECH": 13100, "YESNO": 60,
          "LIBRITTS": 33236, "VCTK_092": 44242, "COMMONVOICE": 10000, "GTZAN": 1000}
_other = module("torchaudio.datasets")


class _Recordings(Dataset):
    """A recording, its rate, and texts or numbers that tell what is said in it."""
    size, name = 10000, ""

    def __init__(self, root=None, *args, **kwargs):
        pass

    def __len__(self):
        return self.size

    def __getitem__(self, n):
        waveform = torchaudio.load(self.name)[0]
        text = _other("the text of a recording")
        if self.name in ("LIBRISPEECH", "LIBRITTS"):
            return waveform, 16000, text, 0, 0, 0
        if self.name == "SPEECHCOMMANDS":
            return waveform, 16000, text, text, 0
        return waveform, 22050, text, text


def __getattr__(name):
    if name not in _SIZES:
        return _other(name)
    made = type(name, (_Recordings,), {"size": _SIZES[name], "name": name})
    globals()[name] = made
    return made
