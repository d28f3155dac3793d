"""Layers that the models share."""

import torch
from torch import nn


class FrozenBatchNorm2d(nn.Module):
    """A batch norm whose numbers are fixed: they are buffers."""

    def __init__(self, num_features, eps=1e-5, n=None):
        super().__init__()
        self.eps = eps
        for name, start in (("weight", torch.ones), ("bias", torch.zeros),
                            ("running_mean", torch.zeros), ("running_var", torch.ones)):
            self.register_buffer(name, start(num_features))

    def forward(self, x):
        scale = (self.weight * (self.running_var + self.eps).rsqrt()).reshape(1, -1, 1, 1)
        shift = self.bias.reshape(1, -1, 1, 1) - self.running_mean.reshape(1, -1, 1, 1) * scale
        return x * scale + shift


class ConvNormActivation(nn.Sequential):
    """A convolution of the same size, with a norm and an activation after it."""

    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1,
                 norm_layer=nn.BatchNorm2d, activation_layer=nn.ReLU, dilation=1, inplace=True,
                 bias=None, conv_layer=nn.Conv2d):
        if padding is None:
            size, wide = [v if isinstance(v, (tuple, list)) else (v,) * 3
                          for v in (kernel_size, dilation)]
            padding = tuple([(k - 1) // 2 * d for k, d in zip(size, wide)])
            if not isinstance(kernel_size, (tuple, list)) and \
                    not isinstance(dilation, (tuple, list)):
                padding = padding[0]
        layers = [conv_layer(in_channels, out_channels, kernel_size, stride, padding,
                             dilation=dilation, groups=groups,
                             bias=norm_layer is None if bias is None else bias)]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer() if inplace is None
                          else activation_layer(inplace=inplace))
        nn.Sequential.__init__(self, *layers)
        self.out_channels = out_channels


class Conv2dNormActivation(ConvNormActivation):
    pass


class Conv3dNormActivation(ConvNormActivation):
    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1,
                 norm_layer=nn.BatchNorm3d, activation_layer=nn.ReLU, dilation=1, inplace=True,
                 bias=None):
        ConvNormActivation.__init__(self, in_channels, out_channels, kernel_size, stride, padding,
                                    groups, norm_layer, activation_layer, dilation, inplace, bias,
                                    nn.Conv3d)


class SqueezeExcitation(nn.Module):
    def __init__(self, input_channels, squeeze_channels, activation=nn.ReLU,
                 scale_activation=nn.Sigmoid):
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation, self.scale_activation = activation(), scale_activation()

    def forward(self, input):
        squeezed = self.activation(self.fc1(self.avgpool(input)))
        return self.scale_activation(self.fc2(squeezed)) * input


class MLP(nn.Sequential):
    def __init__(self, in_channels, hidden_channels, norm_layer=None, activation_layer=nn.ReLU,
                 inplace=None, bias=True, dropout=0.0):
        of = {} if inplace is None else {"inplace": inplace}
        layers, width = [], in_channels
        for hidden in hidden_channels[:-1]:
            layers.append(nn.Linear(width, hidden, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(hidden))
            layers += [activation_layer(**of), nn.Dropout(dropout, **of)]
            width = hidden
        layers += [nn.Linear(width, hidden_channels[-1], bias=bias), nn.Dropout(dropout, **of)]
        nn.Sequential.__init__(self, *layers)


class Permute(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def forward(self, x):
        return torch.permute(x, self.dims)
