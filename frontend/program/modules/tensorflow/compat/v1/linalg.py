"""tf.compat.v1.linalg is that of TensorFlow 2."""

import tensorflow.linalg as _held


def __getattr__(name):
    return getattr(_held, name)
