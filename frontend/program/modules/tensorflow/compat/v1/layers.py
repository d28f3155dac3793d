"""tf.compat.v1.layers."""

from tensorflow._tf1 import layers as _held


def __getattr__(name):
    return getattr(_held, name)
