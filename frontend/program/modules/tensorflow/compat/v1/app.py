"""tf.compat.v1.app."""

from tensorflow._tf1 import app as _held


def __getattr__(name):
    return getattr(_held, name)
