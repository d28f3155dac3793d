"""tf.compat.v1.debugging is that of TensorFlow 2."""

import tensorflow.debugging as _held


def __getattr__(name):
    return getattr(_held, name)
