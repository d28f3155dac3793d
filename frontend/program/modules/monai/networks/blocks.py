"""A convolution with what stands behind it, and units of them around which a shortcut goes."""

import torch
from torch import nn
from _tilewise_nothing import module
from . import layers

__getattr__ = module("monai.networks.blocks")


class Convolution(nn.Sequential):
    def __init__(self, spatial_dims, in_channels, out_channels, strides=1, kernel_size=3,
                 adn_ordering="NDA", act="PRELU", norm="INSTANCE", dropout=None, bias=True,
                 conv_only=False, is_transposed=False, padding=None, output_padding=None,
                 dilation=1, groups=1, **kwargs):
        super().__init__()
        same = padding if padding is not None else \
            dilation * (kernel_size - 1) // 2 if isinstance(kernel_size, int) else \
            tuple([(k - 1) // 2 for k in kernel_size])
        if is_transposed:
            more = strides - 1 if isinstance(strides, int) else tuple([s - 1 for s in strides])
            made = layers.conv_transpose(spatial_dims)(
                in_channels, out_channels, kernel_size, strides, same,
                more if output_padding is None else output_padding, groups, bias, dilation)
        else:
            made = layers.conv(spatial_dims)(in_channels, out_channels, kernel_size, strides, same,
                                             dilation, groups, bias)
        self.add_module("conv", made)
        if not conv_only:
            self.add_module("N", layers.norm(norm, spatial_dims, out_channels))
            if dropout:
                rate = dropout if isinstance(dropout, float) else 0.1
                self.add_module("D", nn.Dropout(rate))
            self.add_module("A", layers.act(act))


class ResidualUnit(nn.Module):
    def __init__(self, spatial_dims, in_channels, out_channels, strides=1, kernel_size=3,
                 subunits=2, adn_ordering="NDA", act="PRELU", norm="INSTANCE", dropout=None,
                 bias=True, last_conv_only=False, **kwargs):
        super().__init__()
        self.conv, self.residual = nn.Sequential(), nn.Identity()
        channels, step = in_channels, strides
        for i in range(max(subunits, 1)):
            self.conv.add_module("unit" + str(i), Convolution(
                spatial_dims, channels, out_channels, step, kernel_size, adn_ordering, act, norm,
                dropout, bias, last_conv_only and i == subunits - 1))
            channels, step = out_channels, 1
        if strides != 1 or in_channels != out_channels:
            size = kernel_size if strides != 1 else 1
            self.residual = layers.conv(spatial_dims)(
                in_channels, out_channels, size, strides, (size - 1) // 2 if size > 1 else 0,
                bias=bias)

    def forward(self, x):
        return self.conv(x) + self.residual(x)
