"""TensorFlow Recommenders: models of two towers, tasks and layers."""

from tensorflow_recommenders import experimental, layers, metrics, models, tasks
from tensorflow_recommenders.models import Model

__version__ = "0.7.3"
