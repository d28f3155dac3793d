"""tf.contrib.eager."""

from tensorflow.contrib import _python as python
import importlib

_found = importlib.import_module("tensorflow")


def __getattr__(name):
    return getattr(_found, name)
