"""tilewise's account of TensorFlow Addons: images, layers, optimizers, losses and metrics."""

from tensorflow_addons import activations, image, layers, losses, metrics, optimizers

__version__ = "0.23.0"
