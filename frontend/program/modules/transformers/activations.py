from torch import nn
from torch.nn import functional as F


def _tanh_gelu(x):
    return F.gelu(x, "tanh")


def _quick(x):
    return x * F.sigmoid(x * 1.702)


def _squared(x):
    x = F.relu(x)
    return x * x


FUNCTIONS = {
    "gelu": F.gelu, "gelu_new": _tanh_gelu, "gelu_pytorch_tanh": _tanh_gelu,
    "gelu_fast": _tanh_gelu, "gelu_python": F.gelu, "quick_gelu": _quick, "silu": F.silu,
    "swish": F.silu, "relu": F.relu, "relu2": _squared, "tanh": F.tanh, "sigmoid": F.sigmoid,
    "mish": F.mish, "relu6": F.relu6, "gelu_10": F.gelu, "linear": lambda x: x,
    "gelu_accurate": _tanh_gelu,
}


class _Activation(nn.Module):
    def __init__(self, function):
        nn.Module.__init__(self)
        self.__dict__["function"] = function

    def forward(self, input):
        return self.function(input)


class _Table:
    def __getitem__(self, name):
        return _Activation(FUNCTIONS[name])

    def __contains__(self, name):
        return name in FUNCTIONS


ACT2FN = _Table()
ACT2CLS = ACT2FN


def get_activation(name):
    return ACT2FN[name]
