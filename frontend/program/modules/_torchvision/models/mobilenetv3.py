"""MobileNet v3 (Howard et al. 2019)."""

from functools import partial
from torch import nn
from torchvision.ops.misc import Conv2dNormActivation, SqueezeExcitation as SElayer
from ._api import family, first, second
from ._utils import _ModelURLs, _make_divisible

model_urls = _ModelURLs()


class SqueezeExcitation(SElayer):
    def __init__(self, input_channels, squeeze_factor=4):
        SElayer.__init__(self, input_channels, _make_divisible(input_channels // squeeze_factor, 8),
                         scale_activation=nn.Hardsigmoid)


class InvertedResidualConfig:
    def __init__(self, input_channels, kernel, expanded_channels, out_channels, use_se, activation,
                 stride, dilation, width_mult):
        self.input_channels, self.expanded_channels, self.out_channels = [
            self.adjust_channels(c, width_mult)
            for c in (input_channels, expanded_channels, out_channels)]
        self.kernel, self.use_se, self.use_hs = kernel, use_se, activation == "HS"
        self.stride, self.dilation = stride, dilation

    @staticmethod
    def adjust_channels(channels, width_mult):
        return _make_divisible(channels * width_mult, 8)


class InvertedResidual(nn.Module):
    def __init__(self, cnf, norm_layer, se_layer=None):
        super().__init__()
        se = se_layer or partial(SElayer, scale_activation=nn.Hardsigmoid)
        inner = cnf.expanded_channels
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        of = {"norm_layer": norm_layer,
              "activation_layer": nn.Hardswish if cnf.use_hs else nn.ReLU}
        layers = []
        if inner != cnf.input_channels:
            layers.append(Conv2dNormActivation(cnf.input_channels, inner, 1, **of))
        layers.append(Conv2dNormActivation(
            inner, inner, cnf.kernel, 1 if cnf.dilation > 1 else cnf.stride, groups=inner,
            dilation=cnf.dilation, **of))
        if cnf.use_se:
            layers.append(se(inner, _make_divisible(inner // 4, 8)))
        layers.append(Conv2dNormActivation(inner, cnf.out_channels, 1, norm_layer=norm_layer,
                                           activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.out_channels, self._is_cn = cnf.out_channels, cnf.stride > 1

    def forward(self, input):
        y = self.block(input)
        return y + input if self.use_res_connect else y


class MobileNetV3(nn.Module):
    def __init__(self, inverted_residual_setting, last_channel, num_classes=1000, block=None,
                 norm_layer=None, dropout=0.2, **kwargs):
        super().__init__()
        norm = norm_layer or partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
        block, rows = block or InvertedResidual, inverted_residual_setting
        of = {"norm_layer": norm, "activation_layer": nn.Hardswish}
        last = 6 * rows[-1].out_channels
        layers = [Conv2dNormActivation(3, rows[0].input_channels, stride=2, **of)]
        layers += [block(row, norm) for row in rows]
        layers.append(Conv2dNormActivation(rows[-1].out_channels, last, 1, **of))
        self.features, self.avgpool = nn.Sequential(*layers), nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(
            nn.Linear(last, last_channel), nn.Hardswish(inplace=True), nn.Dropout(dropout),
            nn.Linear(last_channel, num_classes))

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


# Width before, kernel, expanded width, width after, squeeze and excitation, activation, stride:
# tables 1 and 2 of the paper. What dilation and a reduced tail change is the last stage.
_LARGE = (
    (16, 3, 16, 16, False, "RE", 1), (16, 3, 64, 24, False, "RE", 2),
    (24, 3, 72, 24, False, "RE", 1), (24, 5, 72, 40, True, "RE", 2),
    (40, 5, 120, 40, True, "RE", 1), (40, 5, 120, 40, True, "RE", 1),
    (40, 3, 240, 80, False, "HS", 2), (80, 3, 200, 80, False, "HS", 1),
    (80, 3, 184, 80, False, "HS", 1), (80, 3, 184, 80, False, "HS", 1),
    (80, 3, 480, 112, True, "HS", 1), (112, 3, 672, 112, True, "HS", 1),
    (112, 5, 672, 160, True, "HS", 2), (160, 5, 960, 160, True, "HS", 1),
    (160, 5, 960, 160, True, "HS", 1))
_SMALL = (
    (16, 3, 16, 16, True, "RE", 2), (16, 3, 72, 24, False, "RE", 2),
    (24, 3, 88, 24, False, "RE", 1), (24, 5, 96, 40, True, "HS", 2),
    (40, 5, 240, 40, True, "HS", 1), (40, 5, 240, 40, True, "HS", 1),
    (40, 5, 120, 48, True, "HS", 1), (48, 5, 144, 48, True, "HS", 1),
    (48, 5, 288, 96, True, "HS", 2), (96, 5, 576, 96, True, "HS", 1),
    (96, 5, 576, 96, True, "HS", 1))


def _mobilenet_v3_conf(arch, width_mult=1.0, reduced_tail=False, dilated=False, **options):
    rows, last = (_LARGE, 1280) if arch.endswith("large") else (_SMALL, 1024)
    tail, made = len(rows) - 3, []
    part = 2 if reduced_tail else 1
    for i, (before, kernel, inner, after, se, activation, stride) in enumerate(rows):
        if i > tail:
            before, inner = before // part, inner // part
        if i >= tail:
            after //= part
        made.append(InvertedResidualConfig(before, kernel, inner, after, se, activation, stride,
                                           2 if dilated and i >= tail else 1, width_mult))
    return made, InvertedResidualConfig.adjust_channels(last // part, width_mult)


def _make(arch, width_mult=1.0, reduced_tail=False, dilated=False, **options):
    return MobileNetV3(*_mobilenet_v3_conf(arch, width_mult, reduced_tail, dilated), **options)


globals().update(family(_make, [
    ("mobilenet_v3_large", "MobileNet_V3_Large", second(), "large"),
    ("mobilenet_v3_small", "MobileNet_V3_Small", first(), "small")]))
