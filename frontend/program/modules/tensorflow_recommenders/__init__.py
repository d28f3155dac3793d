"""TensorFlow Recommenders: models of two towers, tasks and layers."""

import importlib as _importlib

from tensorflow_recommenders import experimental, layers, metrics, models, tasks
from tensorflow_recommenders.models import Model

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "0.7.3"
