"""ResNet-RS (Bello et al. 2021); the models scale pictures themselves."""

from keras import layers
from ._common import Build, family
from .efficientnet import joined, squeeze
from .imagenet_utils import decode_predictions, same_input as preprocess_input

_MEAN, _VARIANCE = [0.485, 0.456, 0.406], [0.229 ** 2, 0.224 ** 2, 0.225 ** 2]


def _conv(b, x, filters, kernel, strides, name):
    """A convolution whose rim does not depend on the picture's size."""
    if strides > 1:
        before = (kernel - 1) // 2
        rim = (before, kernel - 1 - before)
        x = b.pad(x, (rim, rim), name + "_pad")
    return b.conv(x, filters, kernel, name, strides, "same" if strides == 1 else "valid")


def _stem(b, x):
    for i, (filters, strides) in enumerate(((32, 2), (32, 1), (64, 1), (64, 2)), 1):
        x = _conv(b, x, filters, 3, strides, f"stem_conv_{i}")
        x = b.act(b.bn(x, f"stem_batch_norm_{i}"), f"stem_act_{i}")
    return x


def _block(b, x, filters, strides, projected, rate, name):
    skip = x
    if projected:
        if strides == 2:
            skip = layers.AveragePooling2D(2, strides=2, padding="same",
                                           name=name + "projection_pooling")(skip)
        skip = _conv(b, skip, 4 * filters, 1, 1, name + "projection_conv")
        skip = b.bn(skip, name + "projection_batch_norm")
    x = _conv(b, x, filters, 1, 1, name + "conv_1")
    x = b.act(b.bn(x, name + "batch_norm_1"), name + "act_1")
    x = _conv(b, x, filters, 3, strides, name + "conv_2")
    x = b.act(b.bn(x, name + "batch_norm_2"), name + "act_2")
    x = b.bn(_conv(b, x, 4 * filters, 1, 1, name + "conv_3"), name + "batch_norm_3")
    x = squeeze(b, x, 4 * filters, max(1, int(filters * 4 * 0.25)), name, "relu")
    return b.act(joined(b, skip, x, rate, name), name + "output_act")


def _resnet(title, depths, picture, pooling, classes, activation, name,
            include_preprocessing=True, drop_connect_rate=0.2, dropout_rate=0.25,
            bn_momentum=0.0, bn_epsilon=1e-5, **old):
    b = Build(224, **picture, momentum=bn_momentum, epsilon=bn_epsilon)
    x = b.image
    if include_preprocessing:
        x = layers.Rescaling(scale=1.0 / 255)(x)
        if b.channels(x) == 3:
            x = layers.Normalization(mean=_MEAN, variance=_VARIANCE, axis=b.axis)(x)
    x = _stem(b, x)
    for i, depth in enumerate(depths):
        rate = drop_connect_rate * (i + 2) / (len(depths) + 1)
        for j in range(depth):
            x = _block(b, x, 64 << i, 2 if i and not j else 1, j == 0, rate,
                       f"BlockGroup{i + 2}_block_{j}_")
    return b.model(b.classify(x, classes, activation, pooling, dropout_rate), name)


def _member(size, *depths):
    return family(_resnet, f"ResNetRS{size}", *depths, called=f"resnet-rs-{size}")


ResNetRS50 = _member(50, 3, 4, 6, 3)
ResNetRS101 = _member(101, 3, 4, 23, 3)
ResNetRS152 = _member(152, 3, 8, 36, 3)
ResNetRS200 = _member(200, 3, 24, 36, 3)
ResNetRS270 = _member(270, 4, 29, 53, 4)
ResNetRS350 = _member(350, 4, 36, 72, 4)
ResNetRS420 = _member(420, 4, 44, 87, 4)
