"""keras.src.layers."""

import keras.layers as _all


def __getattr__(name):
    return getattr(_all, name)
