"""tf.compat.v1.distribute is that of TensorFlow 2."""

import tensorflow.distribute as _held


def __getattr__(name):
    return getattr(_held, name)
