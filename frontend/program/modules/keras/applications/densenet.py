"""DenseNet (Huang et al. 2016)."""

from keras import layers
from ._common import Build, family
from .imagenet_utils import decode_predictions, torch_input as preprocess_input

_GROWTH = 32


def _unit(b, x, name):
    new = b.act(b.bn(x, name + "_0_bn"), name + "_0_relu")
    new = b.conv(new, 4 * _GROWTH, 1, name + "_1_conv", 1, "valid")
    new = b.act(b.bn(new, name + "_1_bn"), name + "_1_relu")
    return b.concat([x, b.conv(new, _GROWTH, 3, name + "_2_conv")], name + "_concat")


def _transition(b, x, name):
    x = b.act(b.bn(x, name + "_bn"), name + "_relu")
    x = b.conv(x, b.channels(x) // 2, 1, name + "_conv", 1, "valid")
    return layers.AveragePooling2D(2, strides=2, name=name + "_pool")(x)


def _densenet(title, blocks, picture, pooling, classes, activation, name):
    b = Build(224, **picture, epsilon=1.001e-5)
    x = b.pad(b.image, ((3, 3), (3, 3)))
    x = b.conv(x, 64, 7, "conv1_conv", 2, "valid")
    x = b.pad(b.act(b.bn(x, "conv1_bn"), "conv1_relu"), ((1, 1), (1, 1)))
    x = layers.MaxPooling2D(3, strides=2, name="pool1")(x)
    for i, units in enumerate(blocks, 2):
        if i > 2:
            x = _transition(b, x, f"pool{i - 1}")
        for j in range(1, units + 1):
            x = _unit(b, x, f"conv{i}_block{j}")
    x = b.act(b.bn(x, "bn"), "relu")
    return b.model(b.classify(x, classes, activation, pooling), name)


DenseNet121 = family(_densenet, "DenseNet121", 6, 12, 24, 16)
DenseNet169 = family(_densenet, "DenseNet169", 6, 12, 32, 32)
DenseNet201 = family(_densenet, "DenseNet201", 6, 12, 48, 32)


def DenseNet(blocks, include_top=True, weights="imagenet", input_tensor=None, input_shape=None,
             pooling=None, classes=1000, classifier_activation="softmax", name="densenet"):
    return family(_densenet, "DenseNet", *blocks)(
        include_top, weights, input_tensor, input_shape, pooling, classes,
        classifier_activation, name)
