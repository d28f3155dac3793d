"""tilewise's account of TensorFlow Addons: layers, optimizers, losses and metrics."""

from tensorflow_addons import activations, layers, losses, metrics, optimizers

__version__ = "0.23.0"
