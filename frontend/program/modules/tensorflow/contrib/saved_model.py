"""tf.contrib.saved_model."""

import importlib

_found = importlib.import_module("tensorflow._tf1.saved_model")


def __getattr__(name):
    return getattr(_found, name)
