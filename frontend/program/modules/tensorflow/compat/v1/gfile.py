"""tf.compat.v1.gfile."""

from tensorflow._tf1 import gfile as _held


def __getattr__(name):
    return getattr(_held, name)
