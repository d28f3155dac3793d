import torch
from torch.nn import Module, Parameter


class Conv1D(Module):
    """A product with a weight of [in, out]."""

    def __init__(self, nf, nx):
        Module.__init__(self)
        self.__dict__["nf"], self.__dict__["nx"] = nf, nx
        self.weight = Parameter(torch.zeros(nx, nf))
        self.bias = Parameter(torch.zeros(nf))

    def forward(self, x):
        return x.matmul(self.weight) + self.bias


ALL_LAYERNORM_LAYERS = [torch.nn.LayerNorm]


def is_torch_greater_or_equal_than(version):
    return True
