"""tf.compat.v1.estimator."""

import tensorflow.estimator as _held
from tensorflow.estimator import export, inputs, tpu


def __getattr__(name):
    return getattr(_held, name)
