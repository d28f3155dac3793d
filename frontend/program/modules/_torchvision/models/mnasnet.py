"""MnasNet (Tan et al. 2018)."""

from torch import nn
from ._api import family, first
from ._utils import _ModelURLs, _make_divisible

_MODEL_URLS = model_urls = _ModelURLs()


class _InvertedResidual(nn.Module):
    def __init__(self, in_ch, out_ch, kernel_size, stride, expansion_factor, bn_momentum=0.1):
        super().__init__()
        inner = in_ch * expansion_factor
        self.apply_residual = in_ch == out_ch and stride == 1
        self.layers = nn.Sequential(
            nn.Conv2d(in_ch, inner, 1, bias=False), nn.BatchNorm2d(inner), nn.ReLU(inplace=True),
            nn.Conv2d(inner, inner, kernel_size, stride, kernel_size // 2, groups=inner,
                      bias=False),
            nn.BatchNorm2d(inner), nn.ReLU(inplace=True),
            nn.Conv2d(inner, out_ch, 1, bias=False), nn.BatchNorm2d(out_ch))

    def forward(self, input):
        return self.layers(input) + input if self.apply_residual else self.layers(input)


# Kernel, stride, expansion, blocks of each stack: figure 7 of the paper, MnasNet-B1.
_STACKS = ((3, 2, 3, 3), (5, 2, 3, 3), (5, 2, 6, 3), (3, 1, 6, 2), (5, 2, 6, 4), (3, 1, 6, 1))


class MNASNet(nn.Module):
    def __init__(self, alpha, num_classes=1000, dropout=0.2):
        super().__init__()
        self.alpha, self.num_classes = alpha, num_classes
        depths = [_make_divisible(d * alpha, 8) for d in (32, 16, 24, 40, 80, 96, 192, 320)]
        first, width = depths[0], depths[1]
        layers = [
            nn.Conv2d(3, first, 3, 2, 1, bias=False), nn.BatchNorm2d(first), nn.ReLU(inplace=True),
            nn.Conv2d(first, first, 3, 1, 1, groups=first, bias=False), nn.BatchNorm2d(first),
            nn.ReLU(inplace=True), nn.Conv2d(first, width, 1, bias=False), nn.BatchNorm2d(width)]
        for after, (kernel, stride, expand, blocks) in zip(depths[2:], _STACKS):
            stack = [_InvertedResidual(width if i == 0 else after, after, kernel,
                                       stride if i == 0 else 1, expand) for i in range(blocks)]
            layers.append(nn.Sequential(*stack))
            width = after
        layers += [nn.Conv2d(width, 1280, 1, bias=False), nn.BatchNorm2d(1280),
                   nn.ReLU(inplace=True)]
        self.layers = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(dropout, inplace=True),
                                        nn.Linear(1280, num_classes))

    def forward(self, x):
        return self.classifier(self.layers(x).mean([2, 3]))


globals().update(family(MNASNet, [
    ("mnasnet0_5", "MNASNet0_5", first(), 0.5), ("mnasnet0_75", "MNASNet0_75", first(), 0.75),
    ("mnasnet1_0", "MNASNet1_0", first(), 1.0), ("mnasnet1_3", "MNASNet1_3", first(), 1.3)]))
