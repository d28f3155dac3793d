"""Models by name: those that tilewise knows; others are not known."""

import _tilewise
from ._vit import VITS, VisionTransformer, build_vit
from .registry import register_model, is_model, list_models, model_entrypoint, _entrypoints
from . import helpers, layers, registry, vision_transformer

_OF_TORCHVISION = (
    "resnet18", "resnet34", "resnet50", "resnet101", "resnet152", "resnext50_32x4d",
    "resnext101_32x8d", "wide_resnet50_2", "wide_resnet101_2", "densenet121", "densenet161",
    "densenet169", "densenet201", "vgg11", "vgg13", "vgg16", "vgg19", "vgg11_bn", "vgg13_bn",
    "vgg16_bn", "vgg19_bn") + tuple([f"efficientnet_b{i}" for i in range(8)])


def _plain(name):
    """The name of the network: those of tf_ differ in padding and in the epsilon of their norms
    alone, and the rest of the name is that of a file of weights."""
    if not name.startswith("tf_efficientnet_b"):
        return name
    return "_".join(name.split("_")[1:3])


def _of_torchvision(name, num_classes, in_chans, options):
    import torchvision
    from torch import nn
    maker = getattr(torchvision.models, name)
    if _tilewise.is_unknown(maker):
        return maker
    model = maker(num_classes=max(num_classes, 1))
    if name.startswith("efficientnet"):  # the dropout stands outside of the head
        model.classifier = model.classifier[-1]
        model.num_features = model.classifier.in_features
        if in_chans != 3:
            width = model.features[0].out_channels
            model.features[0][0] = nn.Conv2d(in_chans, width, 3, 2, 1, bias=False)
    if in_chans != 3 and name.startswith(("resne", "wide")):
        model.conv1 = nn.Conv2d(in_chans, 64, 7, 2, 3, bias=False)
    if num_classes == 0:
        head = "fc" if hasattr(model, "fc") else "classifier"
        last = getattr(model, head)
        model.num_features = last.in_features if isinstance(last, nn.Linear) else None
        setattr(model, head, nn.Identity())
    elif hasattr(model, "fc"):
        model.num_features = model.fc.in_features
    model.default_cfg = model.pretrained_cfg = {
        "input_size": (3, 224, 224), "mean": (0.485, 0.456, 0.406), "std": (0.229, 0.224, 0.225),
        "num_classes": num_classes, "interpolation": "bilinear", "crop_pct": 0.875}
    model.get_classifier = lambda: model.fc if hasattr(model, "fc") else model.classifier
    return model


_DEEP = ("resnet18d", "resnet34d", "resnet50d", "resnet101d", "resnet152d")


def _deepen(model, in_chans):
    """ResNet-D: three convolutions in front, and averages where blocks become smaller."""
    from torch import nn
    stem = []
    for a, b, stride in ((in_chans, 32, 2), (32, 32, 1), (32, 64, 1)):
        stem.append(nn.Conv2d(a, b, 3, stride, 1, bias=False))
        if b != 64:
            stem += [nn.BatchNorm2d(b), nn.ReLU(inplace=True)]
    model.conv1 = nn.Sequential(*stem)
    for layer in (model.layer1, model.layer2, model.layer3, model.layer4):
        for block in layer:
            if block.downsample is None:
                continue
            conv, norm = block.downsample[0], block.downsample[1]
            stride = conv.stride[0] if isinstance(conv.stride, tuple) else conv.stride
            pool = nn.AvgPool2d(2, stride, ceil_mode=True) if stride > 1 else nn.Identity()
            plain = nn.Conv2d(conv.in_channels, conv.out_channels, 1, bias=False)
            block.downsample = nn.Sequential(pool, plain, norm)
    return model


def create_model(model_name, pretrained=False, pretrained_cfg=None, checkpoint_path="",
                 scriptable=None, exportable=None, no_jit=None, cache_dir=None, **kwargs):
    options = {k: v for k, v in kwargs.items() if v is not None}
    if _tilewise.is_unknown(model_name):
        return model_name
    name = _plain(model_name.split("/")[-1].split(".")[0])
    if name in _entrypoints:
        return _entrypoints[name](pretrained=pretrained, **options)
    base = name
    if name in VITS:
        return build_vit(base, options)
    if options.get("features_only"):
        return _tilewise.unknown("the features of timm's " + name)
    if name in _DEEP:
        made = _of_torchvision(name[:-1], options.get("num_classes", 1000),
                               options.get("in_chans", 3), options)
        return made if _tilewise.is_unknown(made) else _deepen(made, options.get("in_chans", 3))
    if name in _OF_TORCHVISION:
        return _of_torchvision(name, options.get("num_classes", 1000), options.get("in_chans", 3),
                               options)
    return _tilewise.unknown("the model " + str(model_name) + " of timm, which is not on the "
                             "search path")


def load_checkpoint(model, *args, **kwargs):
    return None


load_pretrained = resume_checkpoint = load_checkpoint


def safe_model_name(model_name, remove_source=True):
    return model_name


def convert_splitbn_model(module, num_splits=2):
    return module


convert_sync_batchnorm = convert_splitbn_model
list_pretrained = list_models


def __getattr__(name):
    if name in VITS:
        return lambda pretrained=False, **options: build_vit(name, options)
    if _plain(name) in _OF_TORCHVISION or name in _DEEP:
        return lambda pretrained=False, **options: create_model(name, pretrained, **options)
    raise AttributeError(name)
