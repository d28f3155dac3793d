"""tf.compat.v1.math is that of TensorFlow 2."""

import tensorflow.math as _held


def __getattr__(name):
    return getattr(_held, name)
