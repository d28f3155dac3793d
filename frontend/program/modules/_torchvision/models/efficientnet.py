"""EfficientNet (Tan and Le 2019) and EfficientNet v2 (Tan and Le 2021)."""

import math
from functools import partial
from torch import nn
from torchvision.ops import StochasticDepth
from torchvision.ops.misc import Conv2dNormActivation, SqueezeExcitation
from ._api import family, first, second
from ._utils import _ModelURLs, _make_divisible

model_urls = _ModelURLs()


class MBConvConfig:
    """A stage; those of the first version grow with the model."""

    def __init__(self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers,
                 width_mult=1.0, depth_mult=1.0, block=None):
        self.expand_ratio, self.kernel, self.stride = expand_ratio, kernel, stride
        self.input_channels = self.adjust_channels(input_channels, width_mult)
        self.out_channels = self.adjust_channels(out_channels, width_mult)
        self.num_layers = int(math.ceil(num_layers * depth_mult))
        self.block = block or MBConv

    @staticmethod
    def adjust_channels(channels, width_mult, min_value=None):
        return _make_divisible(channels * width_mult, 8, min_value)


class FusedMBConvConfig(MBConvConfig):
    def __init__(self, expand_ratio, kernel, stride, input_channels, out_channels, num_layers,
                 block=None):
        MBConvConfig.__init__(self, expand_ratio, kernel, stride, input_channels, out_channels,
                              num_layers, block=block or FusedMBConv)


class MBConv(nn.Module):
    def __init__(self, cnf, stochastic_depth_prob, norm_layer, se_layer=SqueezeExcitation):
        super().__init__()
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        self.block = nn.Sequential(*self._layers(cnf, norm_layer, se_layer))
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.out_channels = cnf.out_channels

    def _layers(self, cnf, norm, se):
        inner = _make_divisible(cnf.input_channels * cnf.expand_ratio, 8)
        of = {"norm_layer": norm, "activation_layer": nn.SiLU}
        made = []
        if inner != cnf.input_channels:
            made.append(Conv2dNormActivation(cnf.input_channels, inner, 1, **of))
        made.append(Conv2dNormActivation(inner, inner, cnf.kernel, cnf.stride, groups=inner, **of))
        made.append(se(inner, max(1, cnf.input_channels // 4),
                       activation=partial(nn.SiLU, inplace=True)))
        made.append(Conv2dNormActivation(inner, cnf.out_channels, 1, norm_layer=norm,
                                         activation_layer=None))
        return made

    def forward(self, input):
        y = self.block(input)
        return self.stochastic_depth(y) + input if self.use_res_connect else y


class FusedMBConv(MBConv):
    """The expansion and the depthwise convolution are one convolution."""

    def __init__(self, cnf, stochastic_depth_prob, norm_layer):
        MBConv.__init__(self, cnf, stochastic_depth_prob, norm_layer)

    def _layers(self, cnf, norm, se):
        inner = _make_divisible(cnf.input_channels * cnf.expand_ratio, 8)
        of = {"norm_layer": norm, "activation_layer": nn.SiLU}
        if inner == cnf.input_channels:
            return [Conv2dNormActivation(inner, cnf.out_channels, cnf.kernel, cnf.stride, **of)]
        return [Conv2dNormActivation(cnf.input_channels, inner, cnf.kernel, cnf.stride, **of),
                Conv2dNormActivation(inner, cnf.out_channels, 1, norm_layer=norm,
                                     activation_layer=None)]


class EfficientNet(nn.Module):
    def __init__(self, inverted_residual_setting, dropout, stochastic_depth_prob=0.2,
                 num_classes=1000, norm_layer=None, last_channel=None, **kwargs):
        super().__init__()
        norm, rows = norm_layer or nn.BatchNorm2d, inverted_residual_setting
        of = {"norm_layer": norm, "activation_layer": nn.SiLU}
        layers = [Conv2dNormActivation(3, rows[0].input_channels, stride=2, **of)]
        total, done = sum(row.num_layers for row in rows), 0
        for row in rows:
            stage = []
            for _ in range(row.num_layers):
                stage.append(row.block(row, stochastic_depth_prob * done / total, norm))
                row.input_channels, row.stride, done = row.out_channels, 1, done + 1
            layers.append(nn.Sequential(*stage))
        last = last_channel or 4 * rows[-1].out_channels
        layers.append(Conv2dNormActivation(rows[-1].out_channels, last, 1, **of))
        self.features, self.avgpool = nn.Sequential(*layers), nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(dropout, inplace=True),
                                        nn.Linear(last, num_classes))

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


# Expansion, kernel, stride, width before, width after, layers: table 1 of the first paper and
# table 4 of the second, whose first stages are fused (True).
_B0 = ((1, 3, 1, 32, 16, 1), (6, 3, 2, 16, 24, 2), (6, 5, 2, 24, 40, 2), (6, 3, 2, 40, 80, 3),
       (6, 5, 1, 80, 112, 3), (6, 5, 2, 112, 192, 4), (6, 3, 1, 192, 320, 1))
_V2 = {
    "s": ((1, 3, 1, 24, 24, 2, True), (4, 3, 2, 24, 48, 4, True), (4, 3, 2, 48, 64, 4, True),
          (4, 3, 2, 64, 128, 6), (6, 3, 1, 128, 160, 9), (6, 3, 2, 160, 256, 15)),
    "m": ((1, 3, 1, 24, 24, 3, True), (4, 3, 2, 24, 48, 5, True), (4, 3, 2, 48, 80, 5, True),
          (4, 3, 2, 80, 160, 7), (6, 3, 1, 160, 176, 14), (6, 3, 2, 176, 304, 18),
          (6, 3, 1, 304, 512, 5)),
    "l": ((1, 3, 1, 32, 32, 4, True), (4, 3, 2, 32, 64, 7, True), (4, 3, 2, 64, 96, 7, True),
          (4, 3, 2, 96, 192, 10), (6, 3, 1, 192, 224, 19), (6, 3, 2, 224, 384, 25),
          (6, 3, 1, 384, 640, 7))}


def _make(width, depth, drop, eps=1e-5, **options):
    rows = [MBConvConfig(*row, width_mult=width, depth_mult=depth) for row in _B0]
    options.setdefault("norm_layer", partial(nn.BatchNorm2d, eps=eps))
    return EfficientNet(rows, options.pop("dropout", drop), **options)


def _make_v2(size, drop, **options):
    rows = [FusedMBConvConfig(*row[:6]) if len(row) == 7 else MBConvConfig(*row)
            for row in _V2[size]]
    options.setdefault("norm_layer", partial(nn.BatchNorm2d, eps=1e-3))
    return EfficientNet(rows, options.pop("dropout", drop), last_channel=1280, **options)


globals().update(family(_make, [
    ("efficientnet_b0", "EfficientNet_B0", first(), 1.0, 1.0, 0.2),
    ("efficientnet_b1", "EfficientNet_B1", second(240), 1.0, 1.1, 0.2),
    ("efficientnet_b2", "EfficientNet_B2", first(288), 1.1, 1.2, 0.3),
    ("efficientnet_b3", "EfficientNet_B3", first(300), 1.2, 1.4, 0.3),
    ("efficientnet_b4", "EfficientNet_B4", first(380), 1.4, 1.8, 0.4),
    ("efficientnet_b5", "EfficientNet_B5", first(456), 1.6, 2.2, 0.4, 1e-3),
    ("efficientnet_b6", "EfficientNet_B6", first(528), 1.8, 2.6, 0.5, 1e-3),
    ("efficientnet_b7", "EfficientNet_B7", first(600), 2.0, 3.1, 0.5, 1e-3)]))
globals().update(family(_make_v2, [
    ("efficientnet_v2_s", "EfficientNet_V2_S", first(384), "s", 0.2),
    ("efficientnet_v2_m", "EfficientNet_V2_M", first(480), "m", 0.3),
    ("efficientnet_v2_l", "EfficientNet_V2_L", first(480), "l", 0.4)]))
