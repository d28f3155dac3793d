"""Stands for the networks of slim, and for any of them."""

import importlib

from tensorflow.contrib import _python_leaf

inception_v3 = inception_utils = _python_leaf
_PLACES = ("inception", "resnet_v1", "resnet_v2", "vgg", "resnet_utils")


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _tilewise
    for place in _PLACES:
        module = importlib.import_module("tensorflow.contrib.slim.nets." + place)
        if name == place:
            return module
        found = getattr(module, name, None)
        if found is not None and not _tilewise.is_unknown(found):
            return found
    raise AttributeError(name)
