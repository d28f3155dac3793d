"""tilewise's account of Keras 3, with the names that Keras 2 has beside."""

import importlib as _importlib

from keras._info import InputSpec
from keras._layer import Layer
from keras._input import Input, InputLayer

_importlib.import_module("tensorflow")  # It is loaded whatever is used of this one.
__version__ = "3.6.0"
_MODULES = {name: True for name in """activations applications backend callbacks config
constraints datasets distribution dtype_policies estimator experimental export initializers layers
legacy losses metrics mixed_precision models ops optimizers preprocessing quantizers random
regularizers saving tree utils visualization wrappers engine objectives src""".split()}
_WHERE = {"Model": "_model", "Functional": "_model", "Sequential": "_sequential",
          "KerasTensor": "_names", "Variable": "_names", "DTypePolicy": "_policy",
          "FloatDTypePolicy": "_policy", "StatelessScope": "_names", "Operation": "_names",
          "Function": "_names", "Initializer": "initializers", "Loss": "losses",
          "Metric": "metrics", "Optimizer": "optimizers", "Regularizer": "regularizers",
          "Quantizer": "quantizers", "SymbolicScope": "_names", "name_scope": "_names",
          "device": "_names", "remat": "_names", "RematScope": "_names", "version": "_names"}


def __getattr__(name):
    import importlib
    if name in _MODULES:
        found = importlib.import_module("keras." + name)
    elif name in _WHERE:
        found = getattr(importlib.import_module("keras." + _WHERE[name]), name)
    else:
        raise AttributeError(name)
    globals()[name] = found
    return found
