"""EfficientNetV2 (Tan and Le 2021); the models scale pictures themselves."""

import math
from keras import layers
from ._common import Build, family
from .efficientnet import conv_bn, joined, squeeze
from .imagenet_utils import decode_predictions, same_input as preprocess_input

# Blocks, channels, widening, step; the first three stages have fused blocks.
_B = ((1, 16, 1, 1), (2, 32, 4, 2), (2, 48, 4, 2), (3, 96, 4, 2), (5, 112, 6, 1), (8, 192, 6, 2))
_S = ((2, 24, 1, 1), (4, 48, 4, 2), (4, 64, 4, 2), (6, 128, 4, 2), (9, 160, 6, 1),
      (15, 256, 6, 2))
_M = ((3, 24, 1, 1), (5, 48, 4, 2), (5, 80, 4, 2), (7, 160, 4, 2), (14, 176, 6, 1),
      (18, 304, 6, 2), (5, 512, 6, 1))
_L = ((4, 32, 1, 1), (7, 64, 4, 2), (7, 96, 4, 2), (10, 192, 4, 2), (19, 224, 6, 1),
      (25, 384, 6, 2), (7, 640, 6, 1))
_MEAN, _VARIANCE = [0.485, 0.456, 0.406], [0.229 ** 2, 0.224 ** 2, 0.225 ** 2]


def _fused(b, x, filters, stride, widen, rate, name):
    entry, narrow = x, b.channels(x)
    if widen != 1:
        x = conv_bn(b, x, narrow * widen, 3, name + "expand_", stride)
        x = conv_bn(b, x, filters, 1, name + "project_", act=None)
    else:
        x = conv_bn(b, x, filters, 3, name + "project_", stride)
    return joined(b, entry, x, rate, name) if stride == 1 and narrow == filters else x


def _block(b, x, filters, stride, widen, rate, name):
    entry, narrow = x, b.channels(x)
    wide = narrow * widen
    x = conv_bn(b, x, wide, 1, name + "expand_")
    x = layers.DepthwiseConv2D(3, strides=stride, padding="same", use_bias=False,
                               name=name + "dwconv2")(x)
    x = b.act(b.bn(x, name + "bn"), name + "activation", "swish")
    x = squeeze(b, x, wide, max(1, int(narrow * 0.25)), name)
    x = conv_bn(b, x, filters, 1, name + "project_", act=None)
    return joined(b, entry, x, rate, name) if stride == 1 and narrow == filters else x


def _scaled(b, basic):
    if basic and b.channels(b.image) == 3:
        x = layers.Rescaling(scale=1.0 / 255)(b.image)
        return layers.Normalization(mean=_MEAN, variance=_VARIANCE, axis=b.axis)(x)
    return layers.Rescaling(scale=1.0 / 128.0, offset=-1)(b.image)


def _net(title, spec, picture, pooling, classes, activation, name, include_preprocessing=True):
    stages, width, depth, size, stem = spec
    b = Build(size, **picture, momentum=0.9)

    def filters_of(n):
        return max(8, int(n * width + 4) // 8 * 8)
    x = _scaled(b, stages is _B) if include_preprocessing else b.image
    x = conv_bn(b, x, filters_of(stem), 3, "stem_", 2)
    done, total = 0, float(sum([stage[0] for stage in stages]))
    for i, (repeat, filters, widen, stride) in enumerate(stages):
        make, filters = _fused if i < 3 else _block, filters_of(filters)
        for j in range(int(math.ceil(depth * repeat))):
            x = make(b, x, filters, 1 if j else stride, widen, 0.2 * done / total,
                     f"block{i + 1}{chr(97 + j)}_")
            done += 1
    x = conv_bn(b, x, filters_of(1280), 1, "top_")
    return b.model(b.classify(x, classes, activation, pooling, 0.2), name)


def _member(letter, *spec):
    return family(_net, "EfficientNetV2" + letter, *spec, called="efficientnetv2-" + letter.lower())


EfficientNetV2B0 = _member("B0", _B, 1.0, 1.0, 224, 32)
EfficientNetV2B1 = _member("B1", _B, 1.0, 1.1, 240, 32)
EfficientNetV2B2 = _member("B2", _B, 1.1, 1.2, 260, 32)
EfficientNetV2B3 = _member("B3", _B, 1.2, 1.4, 300, 32)
EfficientNetV2S = _member("S", _S, 1.0, 1.0, 384, 24)
EfficientNetV2M = _member("M", _M, 1.0, 1.0, 480, 24)
EfficientNetV2L = _member("L", _L, 1.0, 1.0, 480, 32)
