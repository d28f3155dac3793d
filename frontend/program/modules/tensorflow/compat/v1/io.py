"""tf.compat.v1.io is that of TensorFlow 2."""

import tensorflow.io as _held


def __getattr__(name):
    return getattr(_held, name)
