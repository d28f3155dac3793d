import _tilewise_audio as audio
from _tilewise_nothing import module

__getattr__ = module("librosa.feature")


def _of_frames(rows, y, S, n_fft, hop):
    if S is not None:
        return audio.unread(rows, S.shape[-1])
    return audio.unread(rows, audio.frames(y.shape[-1], n_fft, hop))


def melspectrogram(y=None, sr=22050, S=None, n_fft=2048, hop_length=512, win_length=None,
                   n_mels=128, **rest):
    return _of_frames(n_mels, y, S, n_fft, hop_length)


def mfcc(y=None, sr=22050, S=None, n_mfcc=20, n_fft=2048, hop_length=512, **rest):
    return _of_frames(n_mfcc, y, S, n_fft, hop_length)


def chroma_stft(y=None, sr=22050, S=None, n_fft=2048, hop_length=512, n_chroma=12, **rest):
    return _of_frames(n_chroma, y, S, n_fft, hop_length)


def delta(data, **rest):
    return data
