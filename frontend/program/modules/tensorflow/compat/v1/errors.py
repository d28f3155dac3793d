"""tf.compat.v1.errors is that of TensorFlow 2."""

import tensorflow.errors as _held


def __getattr__(name):
    return getattr(_held, name)
