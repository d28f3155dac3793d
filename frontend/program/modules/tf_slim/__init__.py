"""tf_slim is tf.contrib.slim as a package of its own."""

import tensorflow.contrib.slim as _slim
from tensorflow.contrib.slim import *


def __getattr__(name):
    return getattr(_slim, name)
