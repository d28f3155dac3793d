"""tf.compat.v2 is TensorFlow."""

import tensorflow as _tf


def __getattr__(name):
    return getattr(_tf, name)
