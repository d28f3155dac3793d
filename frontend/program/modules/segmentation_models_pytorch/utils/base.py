"""Losses that add up, and metrics."""

import re

from torch import nn
from segmentation_models_pytorch.base import Activation


class _Named(nn.Module):
    def __init__(self, name=None):
        super().__init__()
        self._name = name

    @property
    def __name__(self):
        if self._name is not None:
            return self._name
        return re.sub("([a-z0-9])([A-Z])", r"\1_\2", type(self).__name__).lower()


class Metric(_Named):
    pass


class Loss(_Named):
    def __add__(self, other):
        return _Sum(self, other, 1.0)

    __radd__ = __add__

    def __mul__(self, value):
        return _Sum(self, None, value)

    __rmul__ = __mul__


class _Sum(Loss):
    def __init__(self, first, second, value):
        names = [part.__name__ for part in (first, second) if part is not None]
        super().__init__(" + ".join(names))
        self.first, self.second, self.value = first, second, value

    def forward(self, *inputs):
        loss = self.first(*inputs) * self.value if self.value != 1.0 else self.first(*inputs)
        return loss if self.second is None else loss + self.second(*inputs)
