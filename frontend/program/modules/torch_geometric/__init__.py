"""torch_geometric: graphs whose sizes are those of published data sets, layers with their
weights."""

import random
from _tilewise_nothing import module

_other = module("torch_geometric")
__version__ = "2.5.0"


def seed_everything(seed):
    random.seed(seed)


def __getattr__(name):
    if name in ("nn", "data", "datasets", "loader", "transforms", "utils", "typing"):
        import importlib
        return importlib.import_module("torch_geometric." + name)
    return _other(name)
