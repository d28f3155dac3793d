"""Models that give each pixel a class: FCN (Long et al. 2014), DeepLab v3 (Chen et al. 2017) and
the small model of MobileNet v3 (Howard et al. 2019)."""

from collections import OrderedDict
import torch
from torch import nn
from torch.nn import functional as F
from .._api import builder, weights_of
from .._utils import IntermediateLayerGetter
from ..mobilenetv3 import mobilenet_v3_large
from .. import resnet as _resnets


class _SimpleSegmentationModel(nn.Module):
    def __init__(self, backbone, classifier, aux_classifier=None):
        super().__init__()
        self.backbone, self.classifier = backbone, classifier
        self.aux_classifier = aux_classifier

    def forward(self, x):
        made, size = self.backbone(x), x.shape[-2:]
        heads = [("out", self.classifier)]
        if self.aux_classifier is not None:
            heads.append(("aux", self.aux_classifier))
        return OrderedDict([
            (name, F.interpolate(head(made[name]), size=size, mode="bilinear",
                                 align_corners=False)) for name, head in heads])


class FCN(_SimpleSegmentationModel):
    pass


class DeepLabV3(_SimpleSegmentationModel):
    pass


def _conv(before, after, size=1, dilation=1):
    return [nn.Conv2d(before, after, size, padding=dilation * (size // 2), dilation=dilation,
                      bias=False), nn.BatchNorm2d(after), nn.ReLU()]


class FCNHead(nn.Sequential):
    def __init__(self, in_channels, channels):
        inner = in_channels // 4
        nn.Sequential.__init__(self, *_conv(in_channels, inner, 3), nn.Dropout(0.1),
                               nn.Conv2d(inner, channels, 1))


class ASPPConv(nn.Sequential):
    def __init__(self, in_channels, out_channels, dilation):
        nn.Sequential.__init__(self, *_conv(in_channels, out_channels, 3, dilation))


class ASPPPooling(nn.Sequential):
    def __init__(self, in_channels, out_channels):
        nn.Sequential.__init__(self, nn.AdaptiveAvgPool2d(1), *_conv(in_channels, out_channels))

    def forward(self, x):
        y = x
        for layer in self:
            y = layer(y)
        return F.interpolate(y, size=x.shape[-2:], mode="bilinear", align_corners=False)


class ASPP(nn.Module):
    def __init__(self, in_channels, atrous_rates, out_channels=256):
        super().__init__()
        self.convs = nn.ModuleList(
            [nn.Sequential(*_conv(in_channels, out_channels))]
            + [ASPPConv(in_channels, out_channels, rate) for rate in atrous_rates]
            + [ASPPPooling(in_channels, out_channels)])
        self.project = nn.Sequential(*_conv(len(self.convs) * out_channels, out_channels),
                                     nn.Dropout(0.5))

    def forward(self, x):
        return self.project(torch.cat([conv(x) for conv in self.convs], 1))


class DeepLabHead(nn.Sequential):
    def __init__(self, in_channels, num_classes, atrous_rates=(12, 24, 36)):
        nn.Sequential.__init__(self, ASPP(in_channels, atrous_rates), *_conv(256, 256, 3),
                               nn.Conv2d(256, num_classes, 1))


class LRASPPHead(nn.Module):
    def __init__(self, low_channels, high_channels, num_classes, inter_channels):
        super().__init__()
        self.cbr = nn.Sequential(*_conv(high_channels, inter_channels))
        self.scale = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(high_channels, inter_channels, 1, bias=False),
            nn.Sigmoid())
        self.low_classifier = nn.Conv2d(low_channels, num_classes, 1)
        self.high_classifier = nn.Conv2d(inter_channels, num_classes, 1)

    def forward(self, input):
        low, high = input["low"], input["high"]
        x = self.cbr(high) * self.scale(high)
        x = F.interpolate(x, size=low.shape[-2:], mode="bilinear", align_corners=False)
        return self.low_classifier(low) + self.high_classifier(x)


class LRASPP(nn.Module):
    def __init__(self, backbone, low_channels, high_channels, num_classes, inter_channels=128):
        super().__init__()
        self.backbone = backbone
        self.classifier = LRASPPHead(low_channels, high_channels, num_classes, inter_channels)

    def forward(self, input):
        y = self.classifier(self.backbone(input))
        return OrderedDict(out=F.interpolate(y, size=input.shape[-2:], mode="bilinear",
                                             align_corners=False))


def _stages(model):
    """The features of MobileNet v3, and those of them that halve the picture."""
    features = model.features
    small = [i for i, layer in enumerate(features) if getattr(layer, "_is_cn", False)]
    return features, [0] + small + [len(features) - 1]


def _backbone(name, aux):
    """The layers with their results, and the widths of these."""
    if name.startswith("resnet"):
        model = getattr(_resnets, name)(replace_stride_with_dilation=[False, True, True])
        last, before, wide, middle = "layer4", "layer3", 2048, 1024
    else:
        model, at = _stages(mobilenet_v3_large(dilated=True))
        last, before = str(at[-1]), str(at[-4])
        wide, middle = model[at[-1]].out_channels, model[at[-4]].out_channels
    layers = {last: "out", before: "aux"} if aux else {last: "out"}
    return IntermediateLayerGetter(model, layers), wide, middle


def _make(kind, head, backbone, num_classes=None, aux_loss=None, weights_backbone=None,
          pretrained_backbone=None):
    classes = 21 if num_classes is None else num_classes
    layers, wide, middle = _backbone(backbone, aux_loss)
    return kind(layers, head(wide, classes), FCNHead(middle, classes) if aux_loss else None)


def _lraspp(num_classes=None, weights_backbone=None, pretrained_backbone=None, **options):
    features, at = _stages(mobilenet_v3_large(dilated=True))
    low, high = at[-4], at[-1]
    layers = IntermediateLayerGetter(features, {str(low): "low", str(high): "high"})
    return LRASPP(layers, features[low].out_channels, features[high].out_channels,
                  21 if num_classes is None else num_classes)


def _with_weights(weights):
    return {"aux_loss": True}


for _name, _label, _kind, _head, _of in (
        ("fcn_resnet50", "FCN_ResNet50", FCN, FCNHead, "resnet50"),
        ("fcn_resnet101", "FCN_ResNet101", FCN, FCNHead, "resnet101"),
        ("deeplabv3_resnet50", "DeepLabV3_ResNet50", DeepLabV3, DeepLabHead, "resnet50"),
        ("deeplabv3_resnet101", "DeepLabV3_ResNet101", DeepLabV3, DeepLabHead, "resnet101"),
        ("deeplabv3_mobilenet_v3_large", "DeepLabV3_MobileNet_V3_Large", DeepLabV3, DeepLabHead,
         "mobilenet_v3_large")):
    _versions = (("COCO_WITH_VOC_LABELS_V1", 520),)
    globals()[_label + "_Weights"] = weights_of(_label, _versions)
    globals()[_name] = builder(
        _name, lambda kind=_kind, head=_head, of=_of, **given: _make(kind, head, of, **given),
        globals()[_label + "_Weights"], _with_weights)
_small = weights_of("LRASPP_MobileNet_V3_Large", (("COCO_WITH_VOC_LABELS_V1", 520),))
globals().update({
    "LRASPP_MobileNet_V3_Large_Weights": _small,
    "lraspp_mobilenet_v3_large": builder("lraspp_mobilenet_v3_large", _lraspp, _small)})
