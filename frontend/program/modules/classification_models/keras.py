"""classification_models.keras."""

from classification_models.models_factory import Classifiers
