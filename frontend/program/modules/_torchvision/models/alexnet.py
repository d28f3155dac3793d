"""AlexNet in its later form (Krizhevsky 2014)."""

from torch import nn
from ._api import family, first
from ._utils import _ModelURLs

model_urls = _ModelURLs()


class AlexNet(nn.Module):
    def __init__(self, num_classes=1000, dropout=0.5):
        super().__init__()
        layers = []
        for row in ((3, 64, 11, 4, 2), None, (64, 192, 5, 1, 2), None, (192, 384, 3, 1, 1),
                    (384, 256, 3, 1, 1), (256, 256, 3, 1, 1), None):
            layers += [nn.MaxPool2d(3, 2)] if row is None else \
                [nn.Conv2d(*row), nn.ReLU(inplace=True)]
        self.features, self.avgpool = nn.Sequential(*layers), nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = nn.Sequential(
            nn.Dropout(dropout), nn.Linear(256 * 6 * 6, 4096), nn.ReLU(inplace=True),
            nn.Dropout(dropout), nn.Linear(4096, 4096), nn.ReLU(inplace=True),
            nn.Linear(4096, num_classes))

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


globals().update(family(AlexNet, [("alexnet", "AlexNet", first())]))
