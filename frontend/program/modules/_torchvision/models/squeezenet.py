"""SqueezeNet (Iandola et al. 2016)."""

import torch
from torch import nn
from ._api import family, first
from ._utils import _ModelURLs

model_urls = _ModelURLs()


class Fire(nn.Module):
    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.inplanes = inplanes
        self.squeeze = nn.Conv2d(inplanes, squeeze_planes, 1)
        self.squeeze_activation = nn.ReLU(inplace=True)
        self.expand1x1 = nn.Conv2d(squeeze_planes, expand1x1_planes, 1)
        self.expand1x1_activation = nn.ReLU(inplace=True)
        self.expand3x3 = nn.Conv2d(squeeze_planes, expand3x3_planes, 3, padding=1)
        self.expand3x3_activation = nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.squeeze_activation(self.squeeze(x))
        return torch.cat([self.expand1x1_activation(self.expand1x1(x)),
                          self.expand3x3_activation(self.expand3x3(x))], 1)


# The first convolution, and the modules after it: a fire module has its squeezed width and half
# its result; None is a pool.
_PLANS = {"1_0": ((96, 7), (None, (16, 64), (16, 64), (32, 128), None, (32, 128), (48, 192),
                            (48, 192), (64, 256), None, (64, 256))),
          "1_1": ((64, 3), (None, (16, 64), (16, 64), None, (32, 128), (32, 128), None,
                            (48, 192), (48, 192), (64, 256), (64, 256)))}


class SqueezeNet(nn.Module):
    def __init__(self, version="1_0", num_classes=1000, dropout=0.5):
        super().__init__()
        self.num_classes = num_classes
        (width, kernel), plan = _PLANS[version]
        layers = [nn.Conv2d(3, width, kernel, stride=2), nn.ReLU(inplace=True)]
        for row in plan:
            if row is None:
                layers.append(nn.MaxPool2d(3, 2, ceil_mode=True))
                continue
            layers.append(Fire(width, row[0], row[1], row[1]))
            width = 2 * row[1]
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Conv2d(512, num_classes, 1),
                                        nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d((1, 1)))

    def forward(self, x):
        return self.classifier(self.features(x)).flatten(1)


globals().update(family(SqueezeNet, [("squeezenet1_0", "SqueezeNet1_0", first(), "1_0"),
                                     ("squeezenet1_1", "SqueezeNet1_1", first(), "1_1")]))
