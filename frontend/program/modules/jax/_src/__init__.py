"""JAX's own modules, whose names programs import although they are not public: those of jax that
have the same names."""

import importlib
import sys

_NAMES = ("core", "dtypes", "random", "tree_util", "typing", "util", "lax", "nn", "numpy", "scipy",
          "image", "nn.initializers", "nn.functions", "ad_checkpoint", "sharding", "interpreters")


def __getattr__(name):
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    if name in _NAMES:
        return importlib.import_module("jax." + name)
    return _tilewise.unknown("jax._src." + name)


for _name in _NAMES:
    _part = "nn" if _name == "nn.functions" else _name
    sys.modules["jax._src." + _name] = importlib.import_module("jax." + _part)
