"""ConvNeXt (Liu et al. 2022)."""

from functools import partial
import torch
from torch import nn
from torchvision.ops.misc import Conv2dNormActivation, Permute
from torchvision.ops.stochastic_depth import StochasticDepth
from ._api import family, first


class LayerNorm2d(nn.LayerNorm):
    def forward(self, x):
        return nn.LayerNorm.forward(self, x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class CNBlock(nn.Module):
    def __init__(self, dim, layer_scale, stochastic_depth_prob, norm_layer=None):
        super().__init__()
        norm = norm_layer or partial(nn.LayerNorm, eps=1e-6)
        self.block = nn.Sequential(
            nn.Conv2d(dim, dim, 7, padding=3, groups=dim), Permute([0, 2, 3, 1]), norm(dim),
            nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim), Permute([0, 3, 1, 2]))
        self.layer_scale = nn.Parameter(torch.ones(dim, 1, 1) * layer_scale)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")

    def forward(self, input):
        return self.stochastic_depth(self.layer_scale * self.block(input)) + input


class CNBlockConfig:
    def __init__(self, input_channels, out_channels, num_layers):
        self.input_channels, self.out_channels = input_channels, out_channels
        self.num_layers = num_layers


class ConvNeXt(nn.Module):
    def __init__(self, block_setting, stochastic_depth_prob=0.0, layer_scale=1e-6,
                 num_classes=1000, block=None, norm_layer=None, **kwargs):
        super().__init__()
        block, norm = block or CNBlock, norm_layer or partial(LayerNorm2d, eps=1e-6)
        layers = [Conv2dNormActivation(3, block_setting[0].input_channels, 4, 4, 0,
                                       norm_layer=norm, activation_layer=None, bias=True)]
        last, done = max(sum(row.num_layers for row in block_setting) - 1, 1), 0
        for row in block_setting:
            stage = []
            for _ in range(row.num_layers):
                stage.append(block(row.input_channels, layer_scale,
                                   stochastic_depth_prob * done / last))
                done += 1
            layers.append(nn.Sequential(*stage))
            if row.out_channels is not None:
                layers.append(nn.Sequential(
                    norm(row.input_channels),
                    nn.Conv2d(row.input_channels, row.out_channels, 2, stride=2)))
        width = block_setting[-1].out_channels or block_setting[-1].input_channels
        self.features, self.avgpool = nn.Sequential(*layers), nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(norm(width), nn.Flatten(1), nn.Linear(width, num_classes))

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)))


def _make(width, third, drop, **options):
    widths = [width, 2 * width, 4 * width, 8 * width, None]
    rows = [CNBlockConfig(widths[i], widths[i + 1], n) for i, n in enumerate((3, 3, third, 3))]
    return ConvNeXt(rows, options.pop("stochastic_depth_prob", drop), **options)


globals().update(family(_make, [
    ("convnext_tiny", "ConvNeXt_Tiny", first(), 96, 9, 0.1),
    ("convnext_small", "ConvNeXt_Small", first(), 96, 27, 0.4),
    ("convnext_base", "ConvNeXt_Base", first(), 128, 27, 0.5),
    ("convnext_large", "ConvNeXt_Large", first(), 192, 27, 0.5)]))
