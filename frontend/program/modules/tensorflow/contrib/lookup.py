"""tf.contrib.lookup."""

import tensorflow.lookup as _lookup


def __getattr__(name):
    return getattr(_lookup, name)
