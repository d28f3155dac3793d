"""VGG (Simonyan and Zisserman 2014)."""

from torch import nn
from ._api import family, first
from ._utils import _ModelURLs

model_urls = _ModelURLs()
_SIZES = {"A": (1, 1, 2, 2, 2), "B": (2, 2, 2, 2, 2), "D": (2, 2, 3, 3, 3), "E": (2, 2, 4, 4, 4)}


def _plan(counts):
    made = []
    for count, width in zip(counts, (64, 128, 256, 512, 512)):
        made += [width] * count + ["M"]
    return made


cfgs = {name: _plan(counts) for name, counts in _SIZES.items()}


def make_layers(cfg, batch_norm=False):
    layers, width = [], 3
    for v in cfg:
        if v == "M":
            layers.append(nn.MaxPool2d(2, 2))
            continue
        layers.append(nn.Conv2d(width, v, 3, padding=1))
        layers += [nn.BatchNorm2d(v)] if batch_norm else []
        layers.append(nn.ReLU(inplace=True))
        width = v
    return nn.Sequential(*layers)


class VGG(nn.Module):
    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features, self.avgpool = features, nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096), nn.ReLU(True), nn.Dropout(dropout),
            nn.Linear(4096, 4096), nn.ReLU(True), nn.Dropout(dropout),
            nn.Linear(4096, num_classes))

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


def _make(plan, batch_norm, **options):
    return VGG(make_layers(cfgs[plan], batch_norm), **options)


_ROWS = []
for _depth, _name in ((11, "A"), (13, "B"), (16, "D"), (19, "E")):
    _versions = first() + (("IMAGENET1K_FEATURES", 224),) if _depth == 16 else first()
    _ROWS += [(f"vgg{_depth}", f"VGG{_depth}", _versions, _name, False),
              (f"vgg{_depth}_bn", f"VGG{_depth}_BN", first(), _name, True)]
globals().update(family(_make, _ROWS))
