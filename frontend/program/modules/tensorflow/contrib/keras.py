"""tf.contrib.keras is Keras."""

import keras as _keras
from tensorflow.compat.v1.keras import (
    activations, applications, backend, callbacks, constraints, datasets, initializers, losses,
    metrics, models, optimizers, preprocessing, regularizers, utils)
from tensorflow.contrib import _keras_layers as layers


def __getattr__(name):
    return getattr(_keras, name)
