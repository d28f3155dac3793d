"""MobileNet v2 (Sandler et al. 2018)."""

from torch import nn
from torchvision.ops.misc import Conv2dNormActivation
from ._api import family, second
from ._utils import _ModelURLs, _make_divisible

model_urls = _ModelURLs()
ConvBNReLU = ConvBNActivation = Conv2dNormActivation


class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=None):
        super().__init__()
        norm, inner = norm_layer or nn.BatchNorm2d, int(round(inp * expand_ratio))
        self.stride, self.use_res_connect = stride, stride == 1 and inp == oup
        of = {"norm_layer": norm, "activation_layer": nn.ReLU6}
        layers = [] if expand_ratio == 1 else [Conv2dNormActivation(inp, inner, 1, **of)]
        layers += [Conv2dNormActivation(inner, inner, stride=stride, groups=inner, **of),
                   nn.Conv2d(inner, oup, 1, bias=False), norm(oup)]
        self.conv = nn.Sequential(*layers)
        self.out_channels, self._is_cn = oup, stride > 1

    def forward(self, x):
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


# Expansion, width, blocks, stride of the first: table 2 of the paper.
_SETTING = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
            (6, 160, 3, 2), (6, 320, 1, 1))


class MobileNetV2(nn.Module):
    def __init__(self, num_classes=1000, width_mult=1.0, inverted_residual_setting=None,
                 round_nearest=8, block=None, norm_layer=None, dropout=0.2):
        super().__init__()
        block, norm = block or InvertedResidual, norm_layer or nn.BatchNorm2d
        of = {"norm_layer": norm, "activation_layer": nn.ReLU6}
        width = _make_divisible(32 * width_mult, round_nearest)
        self.last_channel = _make_divisible(1280 * max(1.0, width_mult), round_nearest)
        layers = [Conv2dNormActivation(3, width, stride=2, **of)]
        for expand, channels, blocks, stride in inverted_residual_setting or _SETTING:
            after = _make_divisible(channels * width_mult, round_nearest)
            for i in range(blocks):
                layers.append(block(width, after, stride if i == 0 else 1, expand_ratio=expand,
                                    norm_layer=norm))
                width = after
        layers.append(Conv2dNormActivation(width, self.last_channel, 1, **of))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(dropout),
                                        nn.Linear(self.last_channel, num_classes))

    def forward(self, x):
        x = nn.functional.adaptive_avg_pool2d(self.features(x), (1, 1))
        return self.classifier(x.flatten(1))


globals().update(family(MobileNetV2, [("mobilenet_v2", "MobileNet_V2", second())]))
