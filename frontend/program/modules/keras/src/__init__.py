"""keras.src: where Keras 3 has its own files; the modules are those of keras."""

import keras as _keras
from keras import (activations, backend, callbacks, config, constraints, initializers,
                   losses, metrics, ops, optimizers, random, regularizers, tree)
from keras.src import applications, layers, models, utils


def __getattr__(name):
    return getattr(_keras, name)
