"""Layers by the number of dims, and norms by their names."""

from torch import nn


class Norm:
    BATCH, INSTANCE, GROUP, LAYER = "batch", "instance", "group", "layer"


class Act:
    RELU, PRELU, LEAKYRELU, SIGMOID, TANH, GELU, ELU, SWISH, MISH = (
        "relu", "prelu", "leakyrelu", "sigmoid", "tanh", "gelu", "elu", "swish", "mish")


class Pool:
    MAX, AVG = "max", "avg"


class Conv:
    CONV, CONVTRANS = "conv", "convtrans"


def conv(dims):
    return (nn.Conv1d, nn.Conv2d, nn.Conv3d)[dims - 1]


def conv_transpose(dims):
    return (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)[dims - 1]


def pool(dims, kind="Max"):
    return getattr(nn, kind + "Pool" + str(dims) + "d")


def _split(given):
    name, options = given if isinstance(given, (tuple, list)) else (given, {})
    return str(name).lower(), options


def norm(given, dims, channels):
    if given is None:
        return nn.Identity()
    name, options = _split(given)
    if name == "group":
        groups = options.get("num_groups", 8)
        return nn.GroupNorm(groups, channels, affine=options.get("affine", True))
    kind = "InstanceNorm" if name.startswith("instance") else "BatchNorm"
    affine = options.get("affine", kind == "BatchNorm")
    return getattr(nn, kind + str(dims) + "d")(channels, affine=affine)


def act(given):
    if given is None:
        return nn.Identity()
    name, options = _split(given)
    return {"prelu": nn.PReLU, "leakyrelu": nn.LeakyReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh,
            "gelu": nn.GELU, "elu": nn.ELU, "swish": nn.SiLU, "mish": nn.Mish,
            "softmax": nn.Softmax}.get(name, nn.ReLU)(**options)
