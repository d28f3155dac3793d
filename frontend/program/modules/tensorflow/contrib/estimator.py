"""tf.contrib.estimator."""

from tensorflow.contrib import _python as python
import importlib

from tensorflow._tf1.optimizers import Wrapped

_found = importlib.import_module("tensorflow.estimator")


def __getattr__(name):
    return getattr(_found, name)


def clip_gradients_by_norm(optimizer, clip_norm):
    return Wrapped(optimizer)
