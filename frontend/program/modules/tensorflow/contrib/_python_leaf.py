"""Finds a name in the parts of tf.contrib."""

import importlib

_PLACES = ("layers", "framework", "slim", "training", "opt", "tpu", "rnn", "learn", "data",
           "slim.nets.inception", "slim.nets.resnet_utils")


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import _tilewise
    for place in _PLACES:
        module = importlib.import_module("tensorflow.contrib." + place)
        found = getattr(module, name, None)
        if found is not None and not _tilewise.is_unknown(found):
            return found
    raise AttributeError(name)
