"""MobileNetV2 (Sandler et al. 2018)."""

from keras import layers
from ._common import Build, divisible
from .imagenet_utils import decode_predictions, tf_input as preprocess_input

# Channels, blocks, and the first block's step; all but the first stage widen six times.
_STAGES = ((16, 1, 1), (24, 2, 2), (32, 3, 2), (64, 4, 2), (96, 3, 1), (160, 3, 2), (320, 1, 1))


def _relu(x, name):
    return layers.ReLU(6.0, name=name)(x)


def _block(b, x, filters, stride, i):
    entry, wide, name = x, b.channels(x), f"block_{i}_" if i else "expanded_conv_"
    narrow = wide
    if i:
        wide *= 6
        x = b.bn(b.conv(x, wide, 1, name + "expand"), name + "expand_BN")
        x = _relu(x, name + "expand_relu")
    if stride == 2:
        x = b.pad(x, b.even_pad(x, 3), name + "pad")
    x = layers.DepthwiseConv2D(3, strides=stride, use_bias=False, name=name + "depthwise",
                               padding="same" if stride == 1 else "valid")(x)
    x = _relu(b.bn(x, name + "depthwise_BN"), name + "depthwise_relu")
    x = b.bn(b.conv(x, filters, 1, name + "project"), name + "project_BN")
    return b.add([entry, x], name + "add") if narrow == filters and stride == 1 else x


def MobileNetV2(input_shape=None, alpha=1.0, include_top=True, weights="imagenet",
                input_tensor=None, pooling=None, classes=1000, classifier_activation="softmax",
                name=None, **old):
    b = Build(224, include_top, weights, input_tensor, input_shape, epsilon=1e-3, momentum=0.999)
    x = b.bn(b.conv(b.image, divisible(32 * alpha), 3, "Conv1", 2), "bn_Conv1")
    x, i = _relu(x, "Conv1_relu"), 0
    for filters, repeat, stride in _STAGES:
        filters = divisible(int(filters * alpha))
        for j in range(repeat):
            x = _block(b, x, filters, 1 if j else stride, i)
            i += 1
    last = divisible(1280 * alpha) if alpha > 1.0 else 1280
    x = _relu(b.bn(b.conv(x, last, 1, "Conv_1"), "Conv_1_bn"), "out_relu")
    x = b.classify(x, classes, classifier_activation, pooling, 0, False)
    return b.model(x, name or f"mobilenetv2_{alpha:0.2f}_{b.side()}")
