import torch
from _tilewise_nothing import module

__getattr__ = module("torchaudio.functional")


def spectrogram(waveform, pad, window, n_fft, hop_length, win_length, power, normalized,
                center=True, pad_mode="reflect", onesided=True, return_complex=None):
    shape = list(waveform.shape)
    x = torch.stft(waveform.reshape(-1, shape[-1]), n_fft, hop_length, win_length, window, center,
                   pad_mode, normalized, onesided, True)
    x = x.reshape(shape[:-1] + list(x.shape[-2:]))
    return x if power is None else x.abs() if power == 1.0 else x.abs().pow(power)


def resample(waveform, orig_freq, new_freq, **rest):
    if type(orig_freq) is not int or type(new_freq) is not int or orig_freq == new_freq:
        return waveform
    shape = list(waveform.shape)
    return torch.zeros(shape[:-1] + [-(-shape[-1] * new_freq // orig_freq)])


def melscale_fbanks(n_freqs, f_min, f_max, n_mels, sample_rate, norm=None, mel_scale="htk"):
    return torch.rand(n_freqs, n_mels)


def amplitude_to_DB(x, multiplier, amin, db_multiplier, top_db=None):
    return multiplier * torch.log10(x.clamp(min=amin)) - multiplier * db_multiplier
