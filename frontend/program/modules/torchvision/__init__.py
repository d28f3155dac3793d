"""Models, ops and the rest are read from the installed source when a program asks for them, or
from the account of them in _torchvision."""

import _python

__partial__ = True
__version__ = "0.20.0"


_asked = []


def __getattr__(name):
    if name in _asked:  # there is no such module, whose import asks here again
        raise AttributeError(name)
    _asked.append(name)
    try:
        return _python.import_module("torchvision." + name)
    finally:
        _asked.remove(name)


def _is_tracing():
    return False


def disable_beta_transforms_warning():
    pass


def set_image_backend(backend):
    pass


def get_image_backend():
    return "PIL"
