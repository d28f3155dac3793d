from _tilewise_nothing import module as _module
from . import weight_init

__getattr__ = _module("fvcore.nn")
