"""Layers on graphs."""

from torch import nn as _nn
from _tilewise_nothing import module
from . import conv, models, pool
from .conv import *
from .models import *
from .pool import *
from .linear import Linear

_other = module("torch_geometric.nn")


class Sequential(_nn.Module):
    """Sequential("x, edge_index", [(layer, "x, edge_index -> x"), ..])."""

    def __init__(self, input_args, modules):
        super().__init__()
        self._names = [n.strip() for n in input_args.split(",")]
        self._calls = []
        for i, each in enumerate(modules):
            layer, text = each if isinstance(each, tuple) else (each, None)
            if isinstance(layer, _nn.Module):
                setattr(self, "module_" + str(i), layer)
            self._calls.append((layer, text))

    def forward(self, *args, **kwargs):
        values = dict(zip(self._names, args))
        values.update(kwargs)
        last = self._names[0]
        for layer, text in self._calls:
            takes, _, gives = (text or last + " -> " + last).partition("->")
            result = layer(*[values[n.strip()] for n in takes.split(",")])
            names = [n.strip() for n in gives.split(",")] if gives.strip() else [last]
            if len(names) > 1:
                values.update(dict(zip(names, result)))
            else:
                values[names[0]] = result
            last = names[0]
        return values[last]


class DataParallel(_nn.Module):
    def __init__(self, module, *args, **kwargs):
        super().__init__()
        self.module = module

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)


def __getattr__(name):
    return _other(name)
