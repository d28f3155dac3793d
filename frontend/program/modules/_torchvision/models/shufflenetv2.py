"""ShuffleNet v2 (Ma et al. 2018)."""

import torch
from torch import nn
from ._api import family, first
from ._utils import _ModelURLs

model_urls = _ModelURLs()


def channel_shuffle(x, groups):
    n, c, h, w = x.size()
    return x.view(n, groups, c // groups, h, w).transpose(1, 2).reshape(n, c, h, w)


class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride):
        super().__init__()
        self.stride, half = stride, oup // 2
        self.branch1 = nn.Sequential()
        if stride > 1:
            self.branch1 = nn.Sequential(
                self.depthwise_conv(inp, inp, 3, stride, 1), nn.BatchNorm2d(inp),
                nn.Conv2d(inp, half, 1, bias=False), nn.BatchNorm2d(half), nn.ReLU(inplace=True))
        self.branch2 = nn.Sequential(
            nn.Conv2d(inp if stride > 1 else half, half, 1, bias=False), nn.BatchNorm2d(half),
            nn.ReLU(inplace=True), self.depthwise_conv(half, half, 3, stride, 1),
            nn.BatchNorm2d(half), nn.Conv2d(half, half, 1, bias=False), nn.BatchNorm2d(half),
            nn.ReLU(inplace=True))

    @staticmethod
    def depthwise_conv(i, o, kernel_size, stride=1, padding=0, bias=False):
        return nn.Conv2d(i, o, kernel_size, stride, padding, bias=bias, groups=i)

    def forward(self, x):
        kept, worked = x.chunk(2, 1) if self.stride == 1 else (self.branch1(x), x)
        return channel_shuffle(torch.cat((kept, self.branch2(worked)), 1), 2)


class ShuffleNetV2(nn.Module):
    def __init__(self, stages_repeats, stages_out_channels, num_classes=1000,
                 inverted_residual=InvertedResidual):
        super().__init__()
        first, *widths, last = self._stage_out_channels = list(stages_out_channels)
        self.conv1 = nn.Sequential(nn.Conv2d(3, first, 3, 2, 1, bias=False),
                                   nn.BatchNorm2d(first), nn.ReLU(inplace=True))
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        width = first
        for i, (repeats, after) in enumerate(zip(stages_repeats, widths)):
            stage = [inverted_residual(width, after, 2)]
            stage += [inverted_residual(after, after, 1) for _ in range(repeats - 1)]
            setattr(self, f"stage{i + 2}", nn.Sequential(*stage))
            width = after
        self.conv5 = nn.Sequential(nn.Conv2d(width, last, 1, bias=False), nn.BatchNorm2d(last),
                                   nn.ReLU(inplace=True))
        self.fc = nn.Linear(last, num_classes)

    def forward(self, x):
        x = self.stage4(self.stage3(self.stage2(self.maxpool(self.conv1(x)))))
        return self.fc(self.conv5(x).mean([2, 3]))


_REPEATS = (4, 8, 4)
globals().update(family(ShuffleNetV2, [
    ("shufflenet_v2_x0_5", "ShuffleNet_V2_X0_5", first(), _REPEATS, (24, 48, 96, 192, 1024)),
    ("shufflenet_v2_x1_0", "ShuffleNet_V2_X1_0", first(), _REPEATS, (24, 116, 232, 464, 1024)),
    ("shufflenet_v2_x1_5", "ShuffleNet_V2_X1_5", first(), _REPEATS, (24, 176, 352, 704, 1024)),
    ("shufflenet_v2_x2_0", "ShuffleNet_V2_X2_0", first(), _REPEATS, (24, 244, 488, 976, 2048))]))
