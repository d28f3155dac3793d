"""ResNet (He et al. 2015), with the step in a block's first layer; its biases stay."""

from keras import layers
from ._common import Build, family
from .imagenet_utils import caffe_input as preprocess_input, decode_predictions


def _block(b, x, filters, stride, name, shortcut):
    if shortcut:
        skip = b.conv(x, 4 * filters, 1, name + "_0_conv", stride, "valid", True)
        skip = b.bn(skip, name + "_0_bn")
    else:
        skip = x
    x = b.conv(x, filters, 1, name + "_1_conv", stride, "valid", True)
    x = b.act(b.bn(x, name + "_1_bn"), name + "_1_relu")
    x = b.conv(x, filters, 3, name + "_2_conv", use_bias=True)
    x = b.act(b.bn(x, name + "_2_bn"), name + "_2_relu")
    x = b.conv(x, 4 * filters, 1, name + "_3_conv", 1, "valid", True)
    x = b.add([skip, b.bn(x, name + "_3_bn")], name + "_add")
    return b.act(x, name + "_out")


def stem(b, norm):
    """A wide convolution and a pool, each behind a rim of zeros."""
    x = b.pad(b.image, ((3, 3), (3, 3)), "conv1_pad")
    x = b.conv(x, 64, 7, "conv1_conv", 2, "valid", True)
    if norm:
        x = b.act(b.bn(x, "conv1_bn"), "conv1_relu")
    x = b.pad(x, ((1, 1), (1, 1)), "pool1_pad")
    return layers.MaxPooling2D(3, strides=2, name="pool1_pool")(x)


def _resnet(title, repeats, picture, pooling, classes, activation, name):
    b = Build(224, **picture, epsilon=1.001e-5)
    x = stem(b, True)
    for i, repeat in enumerate(repeats):
        for j in range(1, repeat + 1):
            stride = 2 if i > 0 and j == 1 else 1
            x = _block(b, x, 64 << i, stride, f"conv{i + 2}_block{j}", j == 1)
    return b.model(b.classify(x, classes, activation, pooling), name)


ResNet50 = family(_resnet, "ResNet50", 3, 4, 6, 3)
ResNet101 = family(_resnet, "ResNet101", 3, 4, 23, 3)
ResNet152 = family(_resnet, "ResNet152", 3, 8, 36, 3)
