"""tf.compat.v1.metrics."""

from tensorflow._tf1 import metrics as _held


def __getattr__(name):
    return getattr(_held, name)
