"""segmentation_models_pytorch: decoders behind encoders of torchvision and timm."""

import importlib as _importlib

import _tilewise

_importlib.import_module("torch")  # It is loaded whatever is used of this one.

__version__ = "0.5.0"
_MADE = {name.lower(): name for name in ("Unet", "UnetPlusPlus", "MAnet", "Linknet", "FPN",
                                         "PSPNet", "DeepLabV3", "DeepLabV3Plus", "PAN")}
_PARTS = ("encoders", "losses", "metrics", "utils", "datasets", "base")


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name.lower() in _MADE and name == _MADE[name.lower()]:
        return getattr(_importlib.import_module("segmentation_models_pytorch._models"), name)
    if name in _PARTS:
        return _importlib.import_module("segmentation_models_pytorch." + name)
    return _tilewise.unknown("segmentation_models_pytorch." + name)


def create_model(arch, encoder_name="resnet34", encoder_weights="imagenet", in_channels=3,
                 classes=1, **kwargs):
    if _tilewise.is_unknown(arch) or arch.lower() not in _MADE:
        return _tilewise.unknown("segmentation_models_pytorch's " + str(arch))
    made = __getattr__(_MADE[arch.lower()])
    return made(encoder_name=encoder_name, encoder_weights=encoder_weights,
                in_channels=in_channels, classes=classes, **kwargs)
