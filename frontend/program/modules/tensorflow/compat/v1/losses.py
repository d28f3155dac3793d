"""tf.compat.v1.losses."""

from tensorflow._tf1 import losses as _held


def __getattr__(name):
    return getattr(_held, name)
