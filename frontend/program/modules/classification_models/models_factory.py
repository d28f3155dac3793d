"""The models by their names."""

import keras_applications as _k
from classification_models.models import resnet as _rn
from classification_models.models import resnext as _rx
from classification_models.models import senet as _se


def _all():
    found = {}
    for module, names in (
            (_rn, "ResNet18 ResNet34 ResNet50 ResNet101 ResNet152 SEResNet18 SEResNet34"),
            (_se, "SEResNet50 SEResNet101 SEResNet152 SEResNeXt50 SEResNeXt101 SENet154"),
            (_rx, "ResNeXt50 ResNeXt101"), (_k.resnet_v2, "ResNet50V2 ResNet101V2 ResNet152V2"),
            (_k.vgg16, "VGG16"), (_k.vgg19, "VGG19"),
            (_k.densenet, "DenseNet121 DenseNet169 DenseNet201"),
            (_k.inception_resnet_v2, "InceptionResNetV2"), (_k.inception_v3, "InceptionV3"),
            (_k.xception, "Xception"), (_k.nasnet, "NASNetLarge NASNetMobile"),
            (_k.mobilenet, "MobileNet"), (_k.mobilenet_v2, "MobileNetV2")):
        for name in names.split():
            found[name.lower()] = (getattr(module, name), module.preprocess_input)
    return found


class ModelsFactory:
    _models = None

    @property
    def models(self):
        if ModelsFactory._models is None:
            ModelsFactory._models = _all()
        return ModelsFactory._models

    def models_names(self):
        return list(self.models)

    def get(self, name):
        if name not in self.models:
            raise ValueError("No such model `" + str(name) + "`, available models: " +
                             str(self.models_names()))
        return self.models[name]


Classifiers = ModelsFactory()
