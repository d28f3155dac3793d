"""tf.compat.v1.lookup is that of TensorFlow 2."""

import tensorflow.lookup as _held


def __getattr__(name):
    return getattr(_held, name)
