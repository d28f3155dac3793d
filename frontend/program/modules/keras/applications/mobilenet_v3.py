"""MobileNetV3 (Howard et al. 2019)."""

from keras import layers
from ._common import Build, divisible
from .imagenet_utils import decode_predictions, same_input as preprocess_input

# Widening, channels, window (0: the large one), step, squeeze, "relu" (else hard swish).
_SMALL = ((1, 16, 3, 2, 1, 1), (72.0 / 16, 24, 3, 2, 0, 1), (88.0 / 24, 24, 3, 1, 0, 1),
          (4, 40, 0, 2, 1, 0), (6, 40, 0, 1, 1, 0), (6, 40, 0, 1, 1, 0), (3, 48, 0, 1, 1, 0),
          (3, 48, 0, 1, 1, 0), (6, 96, 0, 2, 1, 0), (6, 96, 0, 1, 1, 0), (6, 96, 0, 1, 1, 0))
_LARGE = ((1, 16, 3, 1, 0, 1), (4, 24, 3, 2, 0, 1), (3, 24, 3, 1, 0, 1), (3, 40, 0, 2, 1, 1),
          (3, 40, 0, 1, 1, 1), (3, 40, 0, 1, 1, 1), (6, 80, 3, 2, 0, 0), (2.5, 80, 3, 1, 0, 0),
          (2.3, 80, 3, 1, 0, 0), (2.3, 80, 3, 1, 0, 0), (6, 112, 3, 1, 1, 0),
          (6, 112, 3, 1, 1, 0), (6, 160, 0, 2, 1, 0), (6, 160, 0, 1, 1, 0), (6, 160, 0, 1, 1, 0))


def _relu(x):
    return layers.ReLU()(x)


def _hard_swish(x):
    return layers.Activation("hard_swish")(x)


def _squeeze(b, x, filters, name):
    name += "squeeze_excite_"
    s = layers.GlobalAveragePooling2D(keepdims=True, name=name + "avg_pool")(x)
    s = b.conv(s, divisible(filters * 0.25), 1, name + "conv", use_bias=True)
    s = layers.ReLU(name=name + "relu")(s)
    s = b.conv(s, filters, 1, name + "conv_1", use_bias=True)
    s = layers.ReLU(6.0)(s + 3.0) * (1.0 / 6.0)
    return layers.Multiply(name=name + "mul")([x, s])


def _block(b, x, widen, filters, kernel, stride, squeeze, act, i):
    entry, narrow, name = x, b.channels(x), f"expanded_conv_{i}_" if i else "expanded_conv_"
    wide = divisible(narrow * widen)
    if i:
        x = b.conv(x, wide, 1, name + "expand")
        x = act(b.bn(x, name + "expand_bn"))
    if stride == 2:
        x = b.pad(x, b.even_pad(x, kernel), name + "depthwise_pad")
    x = layers.DepthwiseConv2D(kernel, strides=stride, use_bias=False, name=name + "depthwise",
                               padding="same" if stride == 1 else "valid")(x)
    x = act(b.bn(x, name + "depthwise_bn"))
    if squeeze:
        x = _squeeze(b, x, wide, name)
    x = b.bn(b.conv(x, filters, 1, name + "project"), name + "project_bn")
    return b.add([entry, x], name + "add") if stride == 1 and narrow == filters else x


def _head(b, x, width, act, classes, dropout, activation):
    x = layers.GlobalAveragePooling2D(keepdims=True)(x)
    x = act(b.conv(x, width, 1, "conv_2", use_bias=True))
    if dropout > 0:
        x = layers.Dropout(dropout)(x)
    x = layers.Flatten()(b.conv(x, classes, 1, "logits", use_bias=True))
    return layers.Activation(activation, name="predictions")(x)


def _family(title, blocks, width):
    def make(input_shape=None, alpha=1.0, minimalistic=False, include_top=True,
             weights="imagenet", input_tensor=None, classes=1000, pooling=None,
             dropout_rate=0.2, classifier_activation="softmax", include_preprocessing=True,
             name=title):
        b = Build(224, include_top, weights, input_tensor, input_shape, epsilon=1e-3,
                  momentum=0.999)
        large, smooth = (3, _relu) if minimalistic else (5, _hard_swish)
        x = b.image
        if include_preprocessing:
            x = layers.Rescaling(scale=1.0 / 127.5, offset=-1.0)(x)
        x = smooth(b.bn(b.conv(x, 16, 3, "conv", 2), "conv_bn"))
        for i, (widen, filters, kernel, stride, squeeze, plain) in enumerate(blocks):
            x = _block(b, x, widen, divisible(filters * alpha), kernel or large, stride,
                       squeeze and not minimalistic, _relu if plain else smooth, i)
        x = b.conv(x, divisible(b.channels(x) * 6), 1, "conv_1")
        x = smooth(b.bn(x, "conv_1_bn"))
        if include_top:
            last = divisible(width * alpha) if alpha > 1.0 else width
            x = _head(b, x, last, smooth, classes, dropout_rate, classifier_activation)
        else:
            x = b.pooled(x, pooling)
        return b.model(x, name)
    make.__name__ = make.__qualname__ = title
    return make


MobileNetV3Small = _family("MobileNetV3Small", _SMALL, 1024)
MobileNetV3Large = _family("MobileNetV3Large", _LARGE, 1280)
