"""tilewise's account of TensorFlow Addons: images, layers, optimizers, losses and metrics."""

import importlib as _importlib

from tensorflow_addons import activations, image, layers, losses, metrics, optimizers

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "0.23.0"
