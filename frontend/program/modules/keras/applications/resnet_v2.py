"""ResNet whose blocks begin with normalisation (He et al. 2016)."""

from keras import layers
from ._common import Build, family
from .imagenet_utils import decode_predictions, tf_input as preprocess_input
from .resnet import stem


def _block(b, x, filters, stride, name, shortcut):
    ready = b.act(b.bn(x, name + "_preact_bn"), name + "_preact_relu")
    if shortcut:
        skip = b.conv(ready, 4 * filters, 1, name + "_0_conv", stride, "valid", True)
    else:
        skip = layers.MaxPooling2D(1, strides=stride)(x) if stride > 1 else x
    x = b.conv(ready, filters, 1, name + "_1_conv", 1, "valid")
    x = b.act(b.bn(x, name + "_1_bn"), name + "_1_relu")
    x = b.pad(x, ((1, 1), (1, 1)), name + "_2_pad")
    x = b.conv(x, filters, 3, name + "_2_conv", stride, "valid")
    x = b.act(b.bn(x, name + "_2_bn"), name + "_2_relu")
    x = b.conv(x, 4 * filters, 1, name + "_3_conv", 1, "valid", True)
    return b.add([skip, x], name + "_out")


def _resnet(title, repeats, picture, pooling, classes, activation, name):
    b = Build(224, **picture, epsilon=1.001e-5)
    x = stem(b, False)
    for i, repeat in enumerate(repeats):
        for j in range(1, repeat + 1):
            stride = 2 if i < 3 and j == repeat else 1
            x = _block(b, x, 64 << i, stride, f"conv{i + 2}_block{j}", j == 1)
    x = b.act(b.bn(x, "post_bn"), "post_relu")
    return b.model(b.classify(x, classes, activation, pooling), name)


ResNet50V2 = family(_resnet, "ResNet50V2", 3, 4, 6, 3)
ResNet101V2 = family(_resnet, "ResNet101V2", 3, 4, 23, 3)
ResNet152V2 = family(_resnet, "ResNet152V2", 3, 8, 36, 3)
