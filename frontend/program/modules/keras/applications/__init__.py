"""keras.applications: each family is a module of its own, read when it is asked for."""

import importlib

_FAMILIES = {
    "xception": "Xception", "vgg16": "VGG16", "vgg19": "VGG19", "resnet50": "",
    "resnet": "ResNet50 ResNet101 ResNet152", "inception_v3": "InceptionV3",
    "resnet_v2": "ResNet50V2 ResNet101V2 ResNet152V2", "imagenet_utils": "",
    "inception_resnet_v2": "InceptionResNetV2", "mobilenet": "MobileNet",
    "mobilenet_v2": "MobileNetV2", "mobilenet_v3": "MobileNetV3Small MobileNetV3Large",
    "densenet": "DenseNet121 DenseNet169 DenseNet201", "nasnet": "NASNetMobile NASNetLarge",
    "efficientnet": " ".join(["EfficientNetB" + str(i) for i in range(8)]),
    "efficientnet_v2": " ".join(["EfficientNetV2" + s for s in
                                 ("B0", "B1", "B2", "B3", "S", "M", "L")]),
    "convnext": " ".join(["ConvNeXt" + s for s in ("Tiny", "Small", "Base", "Large", "XLarge")]),
    "regnet": " ".join(["RegNet" + kind + s for kind in "XY" for s in
                        ("002", "004", "006", "008", "016", "032", "040", "064", "080", "120",
                         "160", "320")]),
    "resnet_rs": " ".join(["ResNetRS" + s for s in
                           ("50", "101", "152", "200", "270", "350", "420")]),
}
_HOME = {name: module for module, names in _FAMILIES.items() for name in names.split()}
__all__ = list(_HOME) + list(_FAMILIES)


def keras_modules_injection(base_fun):
    """Gives a function of keras_applications the modules of Keras that it builds with."""
    def wrapper(*args, **kwargs):
        import keras
        for name in ("backend", "layers", "models", "utils"):
            kwargs[name] = getattr(keras, name)
        return base_fun(*args, **kwargs)
    return wrapper


def __getattr__(name):
    if name in _FAMILIES:
        return importlib.import_module("keras.applications." + name)
    if name in _HOME:
        return getattr(importlib.import_module("keras.applications." + _HOME[name]), name)
    raise AttributeError(f"module 'keras.applications' has no attribute '{name}'")
