"""RegNet (Radosavovic et al. 2020)."""

import math
from collections import OrderedDict
from torch import nn
from torchvision.ops.misc import Conv2dNormActivation, SqueezeExcitation
from ._api import family, second, swag
from ._utils import _make_divisible


class BlockParams:
    """The stages of a model, which few numbers give."""

    def __init__(self, depths, widths, group_widths, bottleneck_multipliers, strides,
                 se_ratio=None):
        self.depths, self.widths, self.group_widths = depths, widths, group_widths
        self.bottleneck_multipliers, self.strides = bottleneck_multipliers, strides
        self.se_ratio = se_ratio

    @classmethod
    def from_init_params(cls, depth, w_0, w_a, w_m, group_width, bottleneck_multiplier=1.0,
                         se_ratio=None, **kwargs):
        widths, depths = [], []
        for i in range(depth):
            power = round(math.log((w_0 + w_a * i) / w_0) / math.log(w_m))
            width = int(round(w_0 * w_m ** power / 8)) * 8
            if not widths or widths[-1] != width:
                widths.append(width)
                depths.append(0)
            depths[-1] += 1
        groups = [min(group_width, int(w * bottleneck_multiplier)) for w in widths]
        widths = [int(_make_divisible(int(w * bottleneck_multiplier), g) / bottleneck_multiplier)
                  for w, g in zip(widths, groups)]
        n = len(widths)
        return cls(depths, widths, groups, [bottleneck_multiplier] * n, [2] * n, se_ratio)


class ResBottleneckBlock(nn.Module):
    def __init__(self, width_in, width_out, stride, norm_layer, activation_layer, group_width=1,
                 bottleneck_multiplier=1.0, se_ratio=None):
        super().__init__()
        of = {"norm_layer": norm_layer, "activation_layer": activation_layer}
        plain = {"norm_layer": norm_layer, "activation_layer": None}
        inner = int(round(width_out * bottleneck_multiplier))
        layers = OrderedDict(
            a=Conv2dNormActivation(width_in, inner, 1, **of),
            b=Conv2dNormActivation(inner, inner, 3, stride, groups=inner // group_width, **of))
        if se_ratio:
            layers["se"] = SqueezeExcitation(inner, int(round(se_ratio * width_in)),
                                             activation=activation_layer)
        layers["c"] = Conv2dNormActivation(inner, width_out, 1, **plain)
        self.proj = None
        if width_in != width_out or stride != 1:
            self.proj = Conv2dNormActivation(width_in, width_out, 1, stride, **plain)
        self.f, self.activation = nn.Sequential(layers), activation_layer(inplace=True)

    def forward(self, x):
        kept = x if self.proj is None else self.proj(x)
        return self.activation(kept + self.f(x))


class RegNet(nn.Module):
    def __init__(self, block_params, num_classes=1000, stem_width=32, stem_type=None,
                 block_type=None, norm_layer=None, activation=None):
        super().__init__()
        norm, activation = norm_layer or nn.BatchNorm2d, activation or nn.ReLU
        block, params = block_type or ResBottleneckBlock, block_params
        self.stem = (stem_type or Conv2dNormActivation)(
            3, stem_width, stride=2, norm_layer=norm, activation_layer=activation)
        width, stages = stem_width, OrderedDict()
        for i, (after, stride, depth, group, multiplier) in enumerate(zip(
                params.widths, params.strides, params.depths, params.group_widths,
                params.bottleneck_multipliers)):
            stage = OrderedDict()
            for j in range(depth):
                stage[f"block{i + 1}-{j}"] = block(
                    width if j == 0 else after, after, stride if j == 0 else 1, norm, activation,
                    group, multiplier, params.se_ratio)
            stages[f"block{i + 1}"], width = nn.Sequential(stage), after
        self.trunk_output = nn.Sequential(stages)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(width, num_classes)

    def forward(self, x):
        return self.fc(self.avgpool(self.trunk_output(self.stem(x))).flatten(1))


def _make(ratio, depth, w_0, w_a, w_m, group, **options):
    return RegNet(BlockParams.from_init_params(depth, w_0, w_a, w_m, group, se_ratio=ratio),
                  **options)


# Depth, first width, slope, step between widths, width of groups: appendix of the paper.
_X = {"400MF": (22, 24, 24.48, 2.54, 16), "800MF": (16, 56, 35.73, 2.28, 16),
      "1_6GF": (18, 80, 34.01, 2.25, 24), "3_2GF": (25, 88, 26.31, 2.25, 48),
      "8GF": (23, 80, 49.56, 2.88, 120), "16GF": (22, 216, 55.59, 2.1, 128),
      "32GF": (23, 320, 69.86, 2.0, 168)}
_Y = {"400MF": (16, 48, 27.89, 2.09, 8), "800MF": (14, 56, 38.84, 2.4, 16),
      "1_6GF": (27, 48, 20.71, 2.65, 24), "3_2GF": (21, 80, 42.63, 2.66, 24),
      "8GF": (17, 192, 76.82, 2.19, 56), "16GF": (18, 200, 106.23, 2.48, 112),
      "32GF": (20, 232, 115.89, 2.53, 232), "128GF": (27, 456, 160.83, 2.52, 264)}
_VERSIONS = {"16GF": second() + swag(384), "32GF": second() + swag(384), "128GF": swag(384)}


def _rows(letter, table, ratio):
    return [("regnet_" + letter + "_" + size.lower(), "RegNet_" + letter.upper() + "_" + size,
             _VERSIONS.get(size, second()) if letter == "y" else second(), ratio, *numbers)
            for size, numbers in table.items()]


globals().update(family(_make, _rows("x", _X, None) + _rows("y", _Y, 0.25)))
