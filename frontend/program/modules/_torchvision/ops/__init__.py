"""Layers that the models share; what works on boxes is not known."""

import _tilewise
from .misc import (ConvNormActivation, Conv2dNormActivation, Conv3dNormActivation,
                   FrozenBatchNorm2d, MLP, Permute, SqueezeExcitation)
from .stochastic_depth import StochasticDepth, stochastic_depth
from .drop_block import DropBlock2d, drop_block2d
from .feature_pyramid_network import FeaturePyramidNetwork
from .focal_loss import sigmoid_focal_loss


__partial__ = True


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _tilewise.unknown("torchvision.ops." + name + ", which is read from the source of "
                             "package torchvision")
