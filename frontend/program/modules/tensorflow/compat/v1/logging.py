"""tf.compat.v1.logging."""

from tensorflow._tf1 import logging as _held


def __getattr__(name):
    return getattr(_held, name)
