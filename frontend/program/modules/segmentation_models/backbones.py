"""Encoders, and the layers of each that decoders take their skips from, the deepest first."""

from classification_models.models_factory import Classifiers
from efficientnet import tfkeras as _eff
from keras.applications import inception_resnet_v2 as _irv2
from keras.applications import inception_v3 as _iv3


def _same(make):
    """The Inception of this package pads where the picture shrinks."""
    def made(**options):
        return make(ends="same", **options)
    return made


_OWN = {"inceptionv3": (_same(_iv3.InceptionV3), _iv3.preprocess_input),
        "inceptionresnetv2": (_same(_irv2.InceptionResNetV2), _irv2.preprocess_input)}
for _i in range(8):
    _OWN["efficientnetb" + str(_i)] = (getattr(_eff, "EfficientNetB" + str(_i)),
                                       _eff.preprocess_input)

_STAGES = tuple(["stage" + str(i) + "_unit1_relu1" for i in (4, 3, 2)]) + ("relu0",)
_EXPAND = tuple(["block" + b + "a_expand_activation" for b in "6432"])
_DENSE = ("pool4_conv", "pool3_conv", "pool2_conv", "conv1_relu")
# Names, or places among the layers where these have none of their own.
_FEATURES = {
    "vgg16": ("block5_conv3", "block4_conv3", "block3_conv3", "block2_conv2"),
    "vgg19": ("block5_conv4", "block4_conv4", "block3_conv4", "block2_conv2"),
    "inceptionv3": (228, 86, 16, 9), "inceptionresnetv2": (594, 260, 16, 9),
    "seresnet50": (246, 136, 62, 4), "seresnet101": (552, 136, 62, 4),
    "seresnet152": (858, 208, 62, 4), "seresnext50": (1078, 584, 254, 4),
    "seresnext101": (2472, 584, 254, 4), "senet154": (6884, 1625, 454, 12),
    "mobilenet": tuple(["conv_pw_" + str(i) + "_relu" for i in (11, 5, 3, 1)]),
    "mobilenetv2": tuple(["block_" + str(i) + "_expand_relu" for i in (13, 6, 3, 1)]),
}
for _name in ("resnet18", "resnet34", "resnet50", "resnet101", "resnet152", "resnext50",
              "resnext101", "seresnet18", "seresnet34"):
    _FEATURES[_name] = _STAGES
for _name in ("densenet121", "densenet169", "densenet201"):
    _FEATURES[_name] = _DENSE
for _i in range(8):
    _FEATURES["efficientnetb" + str(_i)] = _EXPAND


def models_names():
    return list(_FEATURES)


def _get(name):
    if name not in _FEATURES:
        raise ValueError("No such model `" + str(name) + "`, available models: " +
                         str(models_names()))
    return _OWN[name] if name in _OWN else Classifiers.get(name)


def get_backbone(name, **options):
    return _get(name)[0](include_top=False, **options)


def get_feature_layers(name, n=4):
    return _FEATURES[name][:n]


def get_preprocessing(name):
    return _get(name)[1]
