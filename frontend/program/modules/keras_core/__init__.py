"""keras_core: what Keras 3 was called before."""

import importlib as _importlib

import keras as _keras
from keras import Input, InputSpec, Layer
from keras import (activations, applications, backend, callbacks, constraints, datasets,
                   initializers, layers, losses, metrics, mixed_precision, models, ops,
                   optimizers, random, regularizers, saving, utils)

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "0.1.7"


def __getattr__(name):
    return getattr(_keras, name)
