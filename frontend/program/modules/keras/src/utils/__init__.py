"""keras.src.utils."""

import keras.utils as _all


def __getattr__(name):
    return getattr(_all, name)
