"""Patterns as layers."""

from torch.nn import Module, Parameter
from torch._tensor import zeros
from .. import einsum, rearrange, reduce


class Rearrange(Module):
    def __init__(self, pattern, **axes_lengths):
        Module.__init__(self)
        self.pattern, self.axes_lengths = pattern, axes_lengths

    def forward(self, input):
        return rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        Module.__init__(self)
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths

    def forward(self, input):
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)


class EinMix(Module):
    def __init__(self, pattern, weight_shape, bias_shape=None, **axes_lengths):
        Module.__init__(self)
        self.pattern, self.weight_shape = pattern, weight_shape
        names = weight_shape.split()
        self.weight = Parameter(zeros([axes_lengths[n] for n in names]))
        self.bias = None
        if bias_shape is not None:
            right = pattern.split("->")[1].replace("(", " ").replace(")", " ").split()
            kept = bias_shape.split()
            self.bias = Parameter(zeros([axes_lengths[n] if n in kept else 1 for n in right
                                         if n not in ("...",)]))

    def forward(self, input):
        left, right = self.pattern.split("->")
        y = einsum(input, self.weight, left + ", " + self.weight_shape + " -> " + right)
        return y if self.bias is None else y + self.bias
