"""tf.compat.v1.strings is that of TensorFlow 2."""

import tensorflow.strings as _held


def __getattr__(name):
    return getattr(_held, name)
