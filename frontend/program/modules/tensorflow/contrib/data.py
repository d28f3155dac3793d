"""tf.contrib.data: what became tf.data.experimental."""

from tensorflow.contrib import _python as python
import tensorflow.data.experimental as _experimental


def __getattr__(name):
    return getattr(_experimental, name)


def batch_and_drop_remainder(batch_size):
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def sloppy_interleave(map_func, cycle_length, block_length=1):
    return _experimental.parallel_interleave(map_func, cycle_length, block_length, sloppy=True)
