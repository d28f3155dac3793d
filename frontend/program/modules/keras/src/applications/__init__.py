"""keras.src.applications."""

import keras.applications as _all
from keras.src.applications import imagenet_utils


def __getattr__(name):
    return getattr(_all, name)
