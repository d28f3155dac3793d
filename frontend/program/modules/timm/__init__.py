"""timm is read from its own source where it is on the machine, else from tilewise's account."""

import _python
import _tilewise

__partial__ = True
__version__ = "1.0.12"
_PARTS = ("models", "layers", "data", "loss", "optim", "scheduler", "utils")


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name in _PARTS:
        return _python.import_module("_timm." + name)
    models = _python.import_module("timm.models")
    if _tilewise.is_unknown(models):
        models = _python.import_module("_timm.models")
    return getattr(models, name)
