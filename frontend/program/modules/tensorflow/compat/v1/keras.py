"""tf.compat.v1.keras is Keras."""

import keras as _keras
from keras import (
    activations, applications, backend, callbacks, constraints, datasets, initializers, layers,
    losses, metrics, models, optimizers, preprocessing, regularizers, utils)


def __getattr__(name):
    return getattr(_keras, name)
