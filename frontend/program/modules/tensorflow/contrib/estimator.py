"""tf.contrib.estimator."""

from tensorflow.contrib import _python as python
import importlib

_found = importlib.import_module("tensorflow.estimator")


def __getattr__(name):
    return getattr(_found, name)
