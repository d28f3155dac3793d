"""tf.compat.v1.python_io."""

from tensorflow._tf1 import python_io as _held


def __getattr__(name):
    return getattr(_held, name)
