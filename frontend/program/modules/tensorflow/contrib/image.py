"""tf.contrib.image."""

import importlib

_found = importlib.import_module("tensorflow._tf1.image")


def __getattr__(name):
    return getattr(_found, name)
