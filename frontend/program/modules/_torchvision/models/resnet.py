"""ResNet (He et al. 2015), ResNeXt (Xie et al. 2016), Wide ResNet (Zagoruyko et al. 2016)."""

from torch import nn
from torch.hub import load_state_dict_from_url
from ._api import family, first, second
from ._utils import _ModelURLs

model_urls = _ModelURLs()


def conv3x3(in_planes, out_planes, stride=1, groups=1, dilation=1):
    return nn.Conv2d(in_planes, out_planes, 3, stride, dilation, dilation, groups, bias=False)


def conv1x1(in_planes, out_planes, stride=1):
    return nn.Conv2d(in_planes, out_planes, 1, stride, bias=False)


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64,
                 dilation=1, norm_layer=None):
        super().__init__()
        norm = norm_layer or nn.BatchNorm2d
        if groups != 1 or base_width != 64 or dilation > 1:
            raise ValueError("BasicBlock has one group, a base width of 64 and no dilation")
        self.conv1, self.bn1 = conv3x3(inplanes, planes, stride), norm(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2, self.bn2 = conv3x3(planes, planes), norm(planes)
        self.downsample, self.stride = downsample, stride

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y += x if self.downsample is None else self.downsample(x)
        return self.relu(y)


class Bottleneck(nn.Module):
    expansion = 4

    def __init__(self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64,
                 dilation=1, norm_layer=None):
        super().__init__()
        norm = norm_layer or nn.BatchNorm2d
        width, wide = int(planes * (base_width / 64.0)) * groups, planes * self.expansion
        self.conv1, self.bn1 = conv1x1(inplanes, width), norm(width)
        self.conv2, self.bn2 = conv3x3(width, width, stride, groups, dilation), norm(width)
        self.conv3, self.bn3 = conv1x1(width, wide), norm(wide)
        self.relu = nn.ReLU(inplace=True)
        self.downsample, self.stride = downsample, stride

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        y += x if self.downsample is None else self.downsample(x)
        return self.relu(y)


class ResNet(nn.Module):
    def __init__(self, block, layers, num_classes=1000, zero_init_residual=False, groups=1,
                 width_per_group=64, replace_stride_with_dilation=None, norm_layer=None):
        super().__init__()
        self._norm_layer = norm_layer or nn.BatchNorm2d
        self.inplanes, self.dilation = 64, 1
        self.groups, self.base_width = groups, width_per_group
        dilate = replace_stride_with_dilation or (False, False, False)
        if len(dilate) != 3:
            raise ValueError("replace_stride_with_dilation has three items")
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1, self.relu = self._norm_layer(64), nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], 2, dilate[0])
        self.layer3 = self._make_layer(block, 256, layers[2], 2, dilate[1])
        self.layer4 = self._make_layer(block, 512, layers[3], 2, dilate[2])
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)

    def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
        norm, wide, first = self._norm_layer, planes * block.expansion, self.dilation
        if dilate:
            self.dilation, stride = self.dilation * stride, 1
        down = None
        if stride != 1 or self.inplanes != wide:
            down = nn.Sequential(conv1x1(self.inplanes, wide, stride), norm(wide))
        made = [block(self.inplanes, planes, stride, down, self.groups, self.base_width, first,
                      norm)]
        self.inplanes = wide
        for _ in range(1, blocks):
            made.append(block(wide, planes, 1, None, self.groups, self.base_width, self.dilation,
                              norm))
        return nn.Sequential(*made)

    def _forward_impl(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(self.avgpool(x).flatten(1))

    def forward(self, x):
        return self._forward_impl(x)


def _resnet(arch, block, layers, *args, **options):
    """The function of older versions, which other projects import: (name, block, layers,
    pretrained, progress); later ones leave the name out."""
    if not isinstance(arch, str):
        block, layers = arch, block
    return ResNet(block, layers, **options)


def _make(block, layers, groups=1, width=64, **options):
    options.setdefault("groups", groups)
    options.setdefault("width_per_group", width)
    return ResNet(block, layers, **options)


globals().update(family(_make, [
    ("resnet18", "ResNet18", first(), BasicBlock, (2, 2, 2, 2)),
    ("resnet34", "ResNet34", first(), BasicBlock, (3, 4, 6, 3)),
    ("resnet50", "ResNet50", second(), Bottleneck, (3, 4, 6, 3)),
    ("resnet101", "ResNet101", second(), Bottleneck, (3, 4, 23, 3)),
    ("resnet152", "ResNet152", second(), Bottleneck, (3, 8, 36, 3)),
    ("resnext50_32x4d", "ResNeXt50_32X4D", second(), Bottleneck, (3, 4, 6, 3), 32, 4),
    ("resnext101_32x8d", "ResNeXt101_32X8D", second(), Bottleneck, (3, 4, 23, 3), 32, 8),
    ("resnext101_64x4d", "ResNeXt101_64X4D", first(), Bottleneck, (3, 4, 23, 3), 64, 4),
    ("wide_resnet50_2", "Wide_ResNet50_2", second(), Bottleneck, (3, 4, 6, 3), 1, 128),
    ("wide_resnet101_2", "Wide_ResNet101_2", second(), Bottleneck, (3, 4, 23, 3), 1, 128)]))
