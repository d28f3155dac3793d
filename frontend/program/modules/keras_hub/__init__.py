"""KerasHub, which was KerasNLP: transformers for texts, with the sizes of their presets."""

import importlib as _importlib

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "0.21.1"


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    found = _importlib.import_module("keras_hub." + name)
    globals()[name] = found
    return found


def version():
    return __version__
