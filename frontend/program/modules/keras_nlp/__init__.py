"""keras_nlp: the modules of keras_hub."""

import importlib as _importlib

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "0.17.0"


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    found = _importlib.import_module("keras_nlp." + name)
    globals()[name] = found
    return found
