"""tensorflow_probability: its distributions and bijectors, and its part on JAX."""

import importlib


def __getattr__(name):
    # A program on JAX has no use for TensorFlow.
    if name in ("bijectors", "distributions"):
        return importlib.import_module("tensorflow_probability." + name)
    raise AttributeError(name)
