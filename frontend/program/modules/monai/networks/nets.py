"""Networks of monai."""

import torch
from torch import nn
from _tilewise_nothing import module
from . import layers
from .blocks import Convolution, ResidualUnit

_other = module("monai.networks.nets")


class _Skip(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.submodule = inner

    def forward(self, x):
        return torch.cat([x, self.submodule(x)], 1)


class UNet(nn.Module):
    def __init__(self, spatial_dims=None, in_channels=1, out_channels=1, channels=(), strides=(),
                 kernel_size=3, up_kernel_size=3, num_res_units=0, act="PRELU", norm="INSTANCE",
                 dropout=0.0, bias=True, adn_ordering="NDA", dimensions=None):
        super().__init__()
        self.dims = dimensions if dimensions is not None else spatial_dims
        self.options = {"act": act, "norm": norm, "dropout": dropout, "bias": bias}
        self.kernel, self.up_kernel, self.units = kernel_size, up_kernel_size, num_res_units
        self.model = self._level(in_channels, out_channels, list(channels), list(strides), True)

    def _level(self, given, gives, channels, strides, top):
        c, s = channels[0], strides[0]
        if len(channels) > 2:
            inner, wide = self._level(c, c, channels[1:], strides[1:], False), c * 2
        else:
            inner, wide = self._down(c, channels[1], 1), c + channels[1]
        return nn.Sequential(self._down(given, c, s), _Skip(inner),
                             self._up(wide, gives, s, top))

    def _down(self, given, gives, stride):
        if self.units > 0:
            return ResidualUnit(self.dims, given, gives, stride, self.kernel, self.units,
                                **self.options)
        return Convolution(self.dims, given, gives, stride, self.kernel, **self.options)

    def _up(self, given, gives, stride, top):
        conv = Convolution(self.dims, given, gives, stride, self.up_kernel, is_transposed=True,
                           conv_only=top and self.units == 0, **self.options)
        if self.units == 0:
            return conv
        return nn.Sequential(conv, ResidualUnit(self.dims, gives, gives, 1, self.kernel, 1,
                                                last_conv_only=top, **self.options))

    def forward(self, x):
        return self.model(x)


Unet = UNet


class _Twice(nn.Sequential):
    def __init__(self, dims, given, gives, act, norm, bias):
        super().__init__()
        for i, c in enumerate((given, gives)):
            self.add_module("conv_" + str(i), Convolution(dims, c, gives, 1, 3, "NDA", act, norm,
                                                          None, bias))


class BasicUNet(nn.Module):
    def __init__(self, spatial_dims=3, in_channels=1, out_channels=2,
                 features=(32, 32, 64, 128, 256, 32), act=("LeakyReLU", {"inplace": True}),
                 norm=("instance", {"affine": True}), bias=True, dropout=0.0, upsample="deconv",
                 dimensions=None):
        super().__init__()
        dims, f = dimensions or spatial_dims, list(features)
        self.first = _Twice(dims, in_channels, f[0], act, norm, bias)
        self.pool = layers.pool(dims)(2)
        self.downs = nn.ModuleList([_Twice(dims, a, b, act, norm, bias)
                                    for a, b in zip(f[:4], f[1:5])])
        self.ups, self.twices, given = nn.ModuleList(), nn.ModuleList(), f[4]
        for skip, gives in ((f[3], f[3]), (f[2], f[2]), (f[1], f[1]), (f[0], f[5])):
            half = given if skip == f[0] and gives == f[5] else given // 2
            self.ups.append(layers.conv_transpose(dims)(given, half, 2, 2))
            self.twices.append(_Twice(dims, half + skip, gives, act, norm, bias))
            given = gives
        self.final_conv = layers.conv(dims)(f[5], out_channels, 1)

    def forward(self, x):
        skips = [self.first(x)]
        for down in self.downs:
            skips.append(down(self.pool(skips[-1])))
        x = skips.pop()
        for up, twice in zip(self.ups, self.twices):
            x = twice(torch.cat([skips.pop(), up(x)], 1))
        return self.final_conv(x)


BasicUnet = BasicUNet


class _ResBlock(nn.Module):
    def __init__(self, dims, channels, norm):
        super().__init__()
        self.parts = nn.Sequential(*[part for _ in range(2) for part in (
            layers.norm(norm, dims, channels), nn.ReLU(),
            layers.conv(dims)(channels, channels, 3, padding=1, bias=False))])

    def forward(self, x):
        return x + self.parts(x)


class SegResNet(nn.Module):
    def __init__(self, spatial_dims=3, init_filters=8, in_channels=1, out_channels=2,
                 dropout_prob=None, act="relu", norm=("GROUP", {"num_groups": 8}), norm_name="",
                 num_groups=8, use_conv_final=True, blocks_down=(1, 2, 2, 4),
                 blocks_up=(1, 1, 1), **kwargs):
        super().__init__()
        conv, n = layers.conv(spatial_dims), init_filters
        self.first = conv(in_channels, n, 3, padding=1, bias=False)
        self.downs = nn.ModuleList([nn.Sequential(
            conv(n * 2 ** (i - 1), n * 2 ** i, 3, 2, 1, bias=False) if i else nn.Identity(),
            *[_ResBlock(spatial_dims, n * 2 ** i, norm) for _ in range(k)])
            for i, k in enumerate(blocks_down)])
        self.samples, self.ups = nn.ModuleList(), nn.ModuleList()
        mode = {1: "linear", 2: "bilinear", 3: "trilinear"}[spatial_dims]
        for i, k in enumerate(blocks_up):
            c = n * 2 ** (len(blocks_down) - 1 - i)
            self.samples.append(nn.Sequential(conv(c, c // 2, 1, bias=False),
                                              nn.Upsample(scale_factor=2, mode=mode)))
            self.ups.append(nn.Sequential(*[_ResBlock(spatial_dims, c // 2, norm)
                                            for _ in range(k)]))
        self.conv_final = nn.Sequential(layers.norm(norm, spatial_dims, n), nn.ReLU(),
                                        conv(n, out_channels, 1)) if use_conv_final else None

    def forward(self, x):
        x, skips = self.first(x), []
        for down in self.downs:
            x = down(x)
            skips.append(x)
        skips.pop()
        for sample, up in zip(self.samples, self.ups):
            x = up(sample(x) + skips.pop())
        return x if self.conv_final is None else self.conv_final(x)


class _DenseLayer(nn.Module):
    def __init__(self, dims, given, growth, size):
        super().__init__()
        conv = layers.conv(dims)
        self.layers = nn.Sequential(
            layers.norm("batch", dims, given), nn.ReLU(),
            conv(given, size * growth, 1, bias=False), layers.norm("batch", dims, size * growth),
            nn.ReLU(), conv(size * growth, growth, 3, padding=1, bias=False))

    def forward(self, x):
        return torch.cat([x, self.layers(x)], 1)


class DenseNet(nn.Module):
    def __init__(self, spatial_dims, in_channels, out_channels, init_features=64, growth_rate=32,
                 block_config=(6, 12, 24, 16), bn_size=4, *args, **kwargs):
        super().__init__()
        conv, c = layers.conv(spatial_dims), init_features
        parts = [conv(in_channels, c, 7, 2, 3, bias=False), layers.norm("batch", spatial_dims, c),
                 nn.ReLU(), layers.pool(spatial_dims)(3, 2, 1)]
        for i, count in enumerate(block_config):
            parts += [_DenseLayer(spatial_dims, c + j * growth_rate, growth_rate, bn_size)
                      for j in range(count)]
            c += count * growth_rate
            parts += [layers.norm("batch", spatial_dims, c)]
            if i < len(block_config) - 1:
                parts += [nn.ReLU(), conv(c, c // 2, 1, bias=False),
                          layers.pool(spatial_dims, "Avg")(2, 2)]
                c //= 2
        self.features = nn.Sequential(*parts)
        self.class_layers = nn.Sequential(nn.ReLU(),
                                          layers.pool(spatial_dims, "AdaptiveAvg")(1),
                                          nn.Flatten(1), nn.Linear(c, out_channels))

    def forward(self, x):
        return self.class_layers(self.features(x))


class DenseNet121(DenseNet):
    pass


Densenet121 = densenet121 = DenseNet121


def __getattr__(name):
    return _other(name)
