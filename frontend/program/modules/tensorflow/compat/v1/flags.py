"""tf.compat.v1.flags."""

from absl import flags as _held


def __getattr__(name):
    return getattr(_held, name)
