"""EfficientNet (Tan and Le 2019); the models scale pictures themselves."""

import math
from keras import layers
from ._common import Build, divisible, family
from .imagenet_utils import decode_predictions, same_input as preprocess_input

# Window, blocks, channels, widening, step.
_STAGES = ((3, 1, 16, 1, 1), (3, 2, 24, 6, 2), (5, 2, 40, 6, 2), (3, 3, 80, 6, 2),
           (5, 3, 112, 6, 1), (5, 4, 192, 6, 2), (3, 1, 320, 6, 1))
_VARIANCE = (0.229, 0.224, 0.225)


def squeeze(b, x, wide, filters, name, act="swish"):
    """Weighs each channel by what the whole picture says."""
    s = layers.GlobalAveragePooling2D(name=name + "se_squeeze")(x)
    s = layers.Reshape((wide, 1, 1) if b.axis == 1 else (1, 1, wide), name=name + "se_reshape")(s)
    s = b.conv(s, filters, 1, name + "se_reduce", use_bias=True, activation=act)
    s = b.conv(s, wide, 1, name + "se_expand", use_bias=True, activation="sigmoid")
    return layers.Multiply(name=name + "se_excite")([x, s])


def joined(b, entry, x, rate, name):
    """A block's sum, where the block may be left out of some pictures' way."""
    if rate > 0:
        x = layers.Dropout(rate, noise_shape=(None, 1, 1, 1), name=name + "drop")(x)
    return b.add([x, entry], name + "add")


def conv_bn(b, x, filters, kernel, name, strides=1, padding="same", act="swish"):
    x = b.bn(b.conv(x, filters, kernel, name + "conv", strides, padding), name + "bn")
    return b.act(x, name + "activation", act) if act else x


def _block(b, x, filters, kernel, stride, widen, rate, name, act):
    entry, narrow = x, b.channels(x)
    wide = narrow * widen
    if widen != 1:
        x = conv_bn(b, x, wide, 1, name + "expand_", act=act)
    if stride == 2:
        x = b.pad(x, b.even_pad(x, kernel), name + "dwconv_pad")
    x = layers.DepthwiseConv2D(kernel, strides=stride, use_bias=False, name=name + "dwconv",
                               padding="same" if stride == 1 else "valid")(x)
    x = b.act(b.bn(x, name + "bn"), name + "activation", act)
    x = squeeze(b, x, wide, max(1, int(narrow * 0.25)), name, act)
    x = conv_bn(b, x, filters, 1, name + "project_", act=None)
    return joined(b, entry, x, rate, name) if stride == 1 and narrow == filters else x


def _scaled(b, weights):
    x = layers.Rescaling(1.0 / 255.0)(b.image)
    x = layers.Normalization(axis=b.axis)(x)
    if weights == "imagenet":
        x = layers.Rescaling([1.0 / math.sqrt(v) for v in _VARIANCE])(x)
    return x


def EfficientNet(width_coefficient, depth_coefficient, default_size, dropout_rate=0.2,
                 drop_connect_rate=0.2, depth_divisor=8, activation="swish",
                 blocks_args="default", name="efficientnet", include_top=True,
                 weights="imagenet", input_tensor=None, input_shape=None, pooling=None,
                 classes=1000, classifier_activation="softmax", scales=True, **old):
    b = Build(default_size, include_top, weights, input_tensor, input_shape)

    def filters_of(n):
        return divisible(n * width_coefficient, depth_divisor)
    x = _scaled(b, weights) if scales else b.image
    x = b.pad(x, b.even_pad(x, 3), "stem_conv_pad")
    x = conv_bn(b, x, filters_of(32), 3, "stem_", 2, "valid", activation)
    repeats = [int(math.ceil(depth_coefficient * stage[1])) for stage in _STAGES]
    done, total = 0, float(sum(repeats))
    for i, (kernel, _, filters, widen, stride) in enumerate(_STAGES):
        filters = filters_of(filters)
        for j in range(repeats[i]):
            x = _block(b, x, filters, kernel, 1 if j else stride, widen,
                       drop_connect_rate * done / total, f"block{i + 1}{chr(97 + j)}_",
                       activation)
            done += 1
    x = conv_bn(b, x, filters_of(1280), 1, "top_", act=activation)
    x = b.classify(x, classes, classifier_activation, pooling, dropout_rate)
    return b.model(x, name)


def _scale(title, spec, picture, pooling, classes, activation, name, **options):
    width, depth, size, dropout = spec
    return EfficientNet(width, depth, size, dropout, name=name, pooling=pooling, classes=classes,
                        classifier_activation=activation, **picture, **options)


EfficientNetB0 = family(_scale, "EfficientNetB0", 1.0, 1.0, 224, 0.2)
EfficientNetB1 = family(_scale, "EfficientNetB1", 1.0, 1.1, 240, 0.2)
EfficientNetB2 = family(_scale, "EfficientNetB2", 1.1, 1.2, 260, 0.3)
EfficientNetB3 = family(_scale, "EfficientNetB3", 1.2, 1.4, 300, 0.3)
EfficientNetB4 = family(_scale, "EfficientNetB4", 1.4, 1.8, 380, 0.4)
EfficientNetB5 = family(_scale, "EfficientNetB5", 1.6, 2.2, 456, 0.4)
EfficientNetB6 = family(_scale, "EfficientNetB6", 1.8, 2.6, 528, 0.5)
EfficientNetB7 = family(_scale, "EfficientNetB7", 2.0, 3.1, 600, 0.5)
