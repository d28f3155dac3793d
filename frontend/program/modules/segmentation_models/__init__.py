"""segmentation_models of Keras: decoders behind classifiers of pictures."""

import importlib as _importlib

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "1.0.1"
_MADE = {"Unet": True, "FPN": True, "Linknet": True, "PSPNet": True}


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name in _MADE:
        return getattr(_importlib.import_module("segmentation_models._models"), name)
    return _importlib.import_module("segmentation_models." + name)


def set_framework(name):
    pass


def framework():
    return "tf.keras"


def get_preprocessing(name):
    from segmentation_models import backbones
    return backbones.get_preprocessing(name)


def get_available_backbone_names():
    from segmentation_models import backbones
    return backbones.models_names()
