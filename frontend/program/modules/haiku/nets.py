"""haiku.nets."""

from haiku._layers import MLP
from haiku._src.nets.resnet import (ResNet, ResNet18, ResNet34, ResNet50, ResNet101, ResNet152,
                                    ResNet200)
from haiku._src.nets.mobilenetv1 import MobileNetV1
from haiku._src.nets.vqvae import VectorQuantizer, VectorQuantizerEMA
