"""tf_keras: the modules of keras."""

import keras as _keras
from keras import Input, InputSpec, Layer
from keras import (activations, applications, backend, callbacks, constraints, datasets,
                   experimental, initializers, layers, losses, metrics, mixed_precision, models,
                   optimizers, preprocessing, regularizers, utils, wrappers)

__version__ = "2.15.0"


def __getattr__(name):
    return getattr(_keras, name)
