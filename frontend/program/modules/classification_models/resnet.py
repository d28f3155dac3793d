"""classification_models.resnet, as releases before 1.0 have it."""

from classification_models.models.resnet import (ResNet18, ResNet34, ResNet50, ResNet101,
                                                 ResNet152, preprocess_input)
