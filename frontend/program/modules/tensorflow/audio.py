"""tf.audio."""

from tensorflow import _dtypes
from tensorflow._strings import TextTensor, outside
from tensorflow._tensor import number_of


def decode_wav(contents, desired_channels=-1, desired_samples=-1, name=None):
    channels, samples = number_of(desired_channels), number_of(desired_samples)
    shape = [None if samples is None or samples < 0 else int(samples),
             1 if channels is None or channels < 0 else int(channels)]
    return outside(shape, _dtypes.float32, "audio"), outside([], _dtypes.int32, "sample rate")


def encode_wav(audio, sample_rate, name=None):
    return TextTensor()
