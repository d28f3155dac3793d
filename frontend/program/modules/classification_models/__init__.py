"""classification_models: ResNets that norm the picture itself, squeeze-and-excitation networks."""

import importlib as _importlib

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "1.0.0"


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name == "Classifiers":
        from classification_models.models_factory import Classifiers
        return Classifiers
    return _importlib.import_module("classification_models." + name)
