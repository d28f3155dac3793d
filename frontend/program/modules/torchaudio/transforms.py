import torch
from torch import nn
from _tilewise_nothing import module
from . import functional as F

__getattr__ = module("torchaudio.transforms")


class Spectrogram(nn.Module):
    def __init__(self, n_fft=400, win_length=None, hop_length=None, pad=0, window_fn=None,
                 power=2.0, normalized=False, wkwargs=None, center=True, pad_mode="reflect",
                 onesided=True, return_complex=None):
        super().__init__()
        self.n_fft, self.power, self.center, self.pad_mode = n_fft, power, center, pad_mode
        self.win_length = win_length if win_length is not None else n_fft
        self.hop_length = hop_length if hop_length is not None else self.win_length // 2
        self.register_buffer("window", torch.ones(self.win_length))

    def forward(self, waveform):
        return F.spectrogram(waveform, 0, self.window, self.n_fft, self.hop_length,
                             self.win_length, self.power, False, self.center, self.pad_mode)


class MelScale(nn.Module):
    def __init__(self, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, n_stft=201, norm=None,
                 mel_scale="htk"):
        super().__init__()
        self.register_buffer("fb", F.melscale_fbanks(n_stft, f_min, f_max, n_mels, sample_rate))

    def forward(self, specgram):
        return torch.matmul(specgram.transpose(-1, -2), self.fb).transpose(-1, -2)


class MelSpectrogram(nn.Module):
    def __init__(self, sample_rate=16000, n_fft=400, win_length=None, hop_length=None, f_min=0.0,
                 f_max=None, pad=0, n_mels=128, window_fn=None, power=2.0, normalized=False,
                 wkwargs=None, center=True, pad_mode="reflect", onesided=None, norm=None,
                 mel_scale="htk"):
        super().__init__()
        self.n_mels = n_mels
        self.spectrogram = Spectrogram(n_fft, win_length, hop_length, pad, window_fn, power,
                                       normalized, wkwargs, center, pad_mode)
        self.mel_scale = MelScale(n_mels, sample_rate, f_min, f_max, n_fft // 2 + 1)

    def forward(self, waveform):
        return self.mel_scale(self.spectrogram(waveform))


class AmplitudeToDB(nn.Module):
    def __init__(self, stype="power", top_db=None):
        super().__init__()
        self.multiplier = 10.0 if stype == "power" else 20.0

    def forward(self, x):
        return F.amplitude_to_DB(x, self.multiplier, 1e-10, 0.0)


class MFCC(nn.Module):
    def __init__(self, sample_rate=16000, n_mfcc=40, dct_type=2, norm="ortho", log_mels=False,
                 melkwargs=None):
        super().__init__()
        self.MelSpectrogram = MelSpectrogram(sample_rate, **(melkwargs or {}))
        self.amplitude_to_DB = AmplitudeToDB("power", 80.0)
        self.register_buffer("dct_mat", torch.rand(self.MelSpectrogram.n_mels, n_mfcc))

    def forward(self, waveform):
        mel = self.amplitude_to_DB(self.MelSpectrogram(waveform))
        return torch.matmul(mel.transpose(-1, -2), self.dct_mat).transpose(-1, -2)


class Resample(nn.Module):
    def __init__(self, orig_freq=16000, new_freq=16000, **rest):
        super().__init__()
        self.orig_freq, self.new_freq = orig_freq, new_freq

    def forward(self, waveform):
        return F.resample(waveform, self.orig_freq, self.new_freq)


class _Same(nn.Module):
    """What masks or shifts values."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, x, *args, **kwargs):
        return x


FrequencyMasking = TimeMasking = Vol = Fade = SlidingWindowCmn = _Same
