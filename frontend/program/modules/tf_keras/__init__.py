"""tf_keras: the modules of keras."""

import importlib as _importlib

import keras as _keras
from keras import Input, InputSpec, Layer
from keras import (activations, applications, backend, callbacks, constraints, datasets,
                   experimental, initializers, layers, losses, metrics, mixed_precision, models,
                   optimizers, preprocessing, regularizers, utils, wrappers)

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "2.15.0"


def __getattr__(name):
    return getattr(_keras, name)
