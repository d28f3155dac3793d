"""keras.src.ops."""

import keras.ops as _all


def __getattr__(name):
    return getattr(_all, name)
