"""KerasCV: its layers that change images; the sizes of its models are not known."""

import importlib as _importlib

import _tilewise

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "0.9.0"


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name in ("layers", "losses", "models"):
        return _importlib.import_module("keras_cv." + name)
    return _tilewise.unknown("keras_cv." + name)
