"""classification_models.tfkeras."""

from classification_models.models_factory import Classifiers
