"""Classifiers without their heads, whose forward gives what each halving of the picture makes."""

from collections import OrderedDict

import torch
from torch import nn
from torchvision.models import densenet as _densenet
from torchvision.models import efficientnet as _efficientnet
from torchvision.models import mobilenetv2 as _mobilenet
from torchvision.models import resnet as _resnet
from torchvision.models import vgg as _vgg


class _Encoder:
    """`channels` of the picture and of each halving of it."""
    _depth = 5

    @property
    def out_channels(self):
        return list(self.channels)[:self._depth + 1]

    def stages(self):
        """The modules that halve the picture to a 16th and to a 32nd."""
        return {16: [self.layer3], 32: [self.layer4]}

    def forward(self, x):
        found = [x]
        for part in self.parts()[:self._depth]:
            for module in part:
                x = module(x)
            found.append(x)
        return found


class ResNetEncoder(_Encoder, _resnet.ResNet):
    def __init__(self, block, layers, **options):
        _resnet.ResNet.__init__(self, block, layers, **options)
        del self.fc, self.avgpool
        self.channels = [3, 64] + [n * block.expansion for n in (64, 128, 256, 512)]

    def parts(self):
        return [[self.conv1, self.bn1, self.relu], [self.maxpool, self.layer1], [self.layer2],
                [self.layer3], [self.layer4]]


class _Squeeze(nn.Module):
    def __init__(self, n, reduction=16):
        super().__init__()
        self.avg_pool, self.relu = nn.AdaptiveAvgPool2d(1), nn.ReLU(inplace=True)
        self.fc1, self.fc2 = nn.Conv2d(n, n // reduction, 1), nn.Conv2d(n // reduction, n, 1)
        self.sigmoid = nn.Sigmoid()

    def forward(self, x):
        return x * self.sigmoid(self.fc2(self.relu(self.fc1(self.avg_pool(x)))))


class _SEBlock(nn.Module):
    """`kind`: "resnet", "resnext" or "senet"."""

    def __init__(self, before, planes, stride, down, kind):
        super().__init__()
        first, inner, groups = {"resnet": (planes, planes, 1),
                                "resnext": (planes * 2, planes * 2, 32),
                                "senet": (planes * 2, planes * 4, 64)}[kind]
        early = stride if kind == "resnet" else 1
        self.conv1 = nn.Conv2d(before, first, 1, early, bias=False)
        self.conv2 = nn.Conv2d(first, inner, 3, stride // early, 1, groups=groups, bias=False)
        self.conv3 = nn.Conv2d(inner, planes * 4, 1, bias=False)
        self.bn1, self.bn2 = nn.BatchNorm2d(first), nn.BatchNorm2d(inner)
        self.bn3, self.relu = nn.BatchNorm2d(planes * 4), nn.ReLU(inplace=True)
        self.se_module, self.downsample = _Squeeze(planes * 4), down

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn3(self.conv3(self.relu(self.bn2(self.conv2(y)))))
        return self.relu(self.se_module(y) + (x if self.downsample is None
                                              else self.downsample(x)))


class SENetEncoder(_Encoder, nn.Module):
    def __init__(self, kind, layers):
        nn.Module.__init__(self)
        deep = kind == "senet"
        steps, before = [], 3
        for i, (n, size, stride) in enumerate(((64, 3, 2), (64, 3, 1), (128, 3, 1)) if deep
                                              else ((64, 7, 2),), 1):
            steps += [("conv" + str(i), nn.Conv2d(before, n, size, stride, size // 2, bias=False)),
                      ("bn" + str(i), nn.BatchNorm2d(n)),
                      ("relu" + str(i), nn.ReLU(inplace=True))]
            before = n
        self.layer0 = nn.Sequential(OrderedDict(steps))
        self.layer0_pool = nn.MaxPool2d(3, 2, ceil_mode=True)
        self.channels = [3, before, 256, 512, 1024, 2048]
        for i, count in enumerate(layers):
            planes, stride, made = 64 << i, 2 if i else 1, []
            size = 3 if deep and i else 1
            down = nn.Sequential(
                nn.Conv2d(before, 4 * planes, size, stride, size // 2, bias=False),
                nn.BatchNorm2d(4 * planes))
            for j in range(count):
                made.append(_SEBlock(before, planes, 1 if j else stride, None if j else down,
                                     kind))
                before = 4 * planes
            setattr(self, "layer" + str(i + 1), nn.Sequential(*made))

    def parts(self):
        return [[self.layer0], [self.layer0_pool, self.layer1], [self.layer2], [self.layer3],
                [self.layer4]]


class DenseNetEncoder(_Encoder, _densenet.DenseNet):
    """Skips are taken before the convolution of each transition."""

    def __init__(self, channels, **options):
        _densenet.DenseNet.__init__(self, **options)
        del self.classifier
        self.channels = [3] + list(channels)

    def parts(self):
        f = self.features
        made, before = [[f.conv0, f.norm0, f.relu0]], [f.pool0]
        for i in (1, 2, 3):
            move = getattr(f, "transition" + str(i))
            made.append(before + [getattr(f, "denseblock" + str(i)), move.norm, move.relu])
            before = [move.conv, move.pool]
        return made + [before + [f.denseblock4, f.norm5]]


class VGGEncoder(_Encoder, _vgg.VGG):
    """Its first features are as large as the picture."""

    def __init__(self, plan, batch_norm):
        _vgg.VGG.__init__(self, _vgg.make_layers(_vgg.cfgs[plan], batch_norm))
        del self.classifier
        self.channels = [64, 128, 256, 512, 512, 512]

    def forward(self, x):
        found = []
        for module in self.features:
            if isinstance(module, nn.MaxPool2d):
                found.append(x)
            if len(found) > self._depth:
                return found
            x = module(x)
        return (found + [x])[:self._depth + 1]


class _Staged(_Encoder):
    """Of a list of modules: skips after those with these places."""

    def parts(self):
        modules, made, start = self._flat(), [], 0
        for end in self.ends:
            made.append(modules[start:end + 1])
            start = end + 1
        return made

    def stages(self):
        parts = self.parts()
        return {16: parts[3], 32: parts[4]}


class MobileNetV2Encoder(_Staged, _mobilenet.MobileNetV2):
    ends = (1, 3, 6, 13, 18)

    def __init__(self):
        _mobilenet.MobileNetV2.__init__(self)
        del self.classifier
        self.channels = [3, 16, 24, 32, 96, 1280]

    def _flat(self):
        return list(self.features)


class EfficientNetEncoder(_Staged, nn.Module):
    """The last convolution is there, but gives nothing to a decoder.

    `early`: the features of a 16th are those of the first block of their width.
    """

    def __init__(self, version, early):
        nn.Module.__init__(self)
        made = getattr(_efficientnet, "efficientnet_b" + str(version))()
        self.features = made.features
        stages = [list(stage) for stage in list(made.features)[1:-1]]
        ends = [sum([len(stage) for stage in stages[:n]]) for n in (2, 3, 5, 7)]
        if early:
            ends[2] = sum([len(stage) for stage in stages[:4]]) + 1
        self.ends = [0] + ends
        self.channels = [3, made.features[0].out_channels] + [
            stages[n][-1].out_channels for n in (1, 2, 4, 6)]

    def _flat(self):
        stages = list(self.features)
        return [stages[0]] + [block for stage in stages[1:-1] for block in stage]


def _groups(groups, width):
    return dict(groups=groups, width_per_group=width)


_RESNETS = {
    "resnet18": (False, (2, 2, 2, 2), {}), "resnet34": (False, (3, 4, 6, 3), {}),
    "resnet50": (True, (3, 4, 6, 3), {}), "resnet101": (True, (3, 4, 23, 3), {}),
    "resnet152": (True, (3, 8, 36, 3), {}),
    "resnext50_32x4d": (True, (3, 4, 6, 3), _groups(32, 4)),
    "resnext101_32x4d": (True, (3, 4, 23, 3), _groups(32, 4)),
    "resnext101_32x8d": (True, (3, 4, 23, 3), _groups(32, 8)),
    "resnext101_32x16d": (True, (3, 4, 23, 3), _groups(32, 16)),
    "resnext101_32x32d": (True, (3, 4, 23, 3), _groups(32, 32)),
    "resnext101_32x48d": (True, (3, 4, 23, 3), _groups(32, 48)),
}
_SENETS = {
    "se_resnet50": ("resnet", (3, 4, 6, 3)), "se_resnet101": ("resnet", (3, 4, 23, 3)),
    "se_resnet152": ("resnet", (3, 8, 36, 3)), "se_resnext50_32x4d": ("resnext", (3, 4, 6, 3)),
    "se_resnext101_32x4d": ("resnext", (3, 4, 23, 3)), "senet154": ("senet", (3, 8, 36, 3)),
}
# Channels, growth, blocks.
_DENSENETS = {
    "densenet121": ((64, 256, 512, 1024, 1024), 32, (6, 12, 24, 16)),
    "densenet169": ((64, 256, 512, 1280, 1664), 32, (6, 12, 32, 32)),
    "densenet201": ((64, 256, 512, 1792, 1920), 32, (6, 12, 48, 32)),
    "densenet161": ((96, 384, 768, 2112, 2208), 48, (6, 12, 36, 24)),
}
_all = {}


def _resnet_of(bottleneck, layers, options):
    return lambda: ResNetEncoder(_resnet.Bottleneck if bottleneck else _resnet.BasicBlock, layers,
                                 **options)


def _densenet_of(channels, growth, blocks):
    return lambda: DenseNetEncoder(channels, growth_rate=growth, block_config=blocks,
                                   num_init_features=channels[0])


def encoders():
    """Functions that make them, by name."""
    if _all:
        return _all
    for name, row in _RESNETS.items():
        _all[name] = _resnet_of(*row)
    for name, row in _SENETS.items():
        _all[name] = lambda row=row: SENetEncoder(*row)
    for name, row in _DENSENETS.items():
        _all[name] = _densenet_of(*row)
    for depth, plan in ((11, "A"), (13, "B"), (16, "D"), (19, "E")):
        for norm in (False, True):
            _all["vgg" + str(depth) + ("_bn" if norm else "")] = \
                lambda plan=plan, norm=norm: VGGEncoder(plan, norm)
    _all["mobilenet_v2"] = MobileNetV2Encoder
    for i in range(8):
        _all["efficientnet-b" + str(i)] = lambda i=i: EfficientNetEncoder(i, True)
        _all["timm-efficientnet-b" + str(i)] = lambda i=i: EfficientNetEncoder(i, False)
    return _all


def plain(name):
    """timm's ResNets are those of torchvision."""
    short = name[3:] if name.startswith("tu-") else name
    return short if short in _RESNETS and "x101_32x" not in short else name
