"""tf.contrib.distribute."""

import importlib

_found = importlib.import_module("tensorflow.distribute")


def __getattr__(name):
    return getattr(_found, name)
