"""tf.contrib.nn."""

import importlib

_found = importlib.import_module("tensorflow._tf1.nn")


def __getattr__(name):
    return getattr(_found, name)
