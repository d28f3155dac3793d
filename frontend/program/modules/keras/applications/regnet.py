"""RegNet (Radosavovic et al. 2020); the models scale pictures themselves."""

from keras import layers
from ._common import Build, family
from .imagenet_utils import decode_predictions, same_input as preprocess_input

# Blocks and channels of the four stages, and the channels of one group.
_X = {
    "002": ((1, 1, 4, 7), (24, 56, 152, 368), 8),
    "004": ((1, 2, 7, 12), (32, 64, 160, 384), 16),
    "006": ((1, 3, 5, 7), (48, 96, 240, 528), 24),
    "008": ((1, 3, 7, 5), (64, 128, 288, 672), 16),
    "016": ((2, 4, 10, 2), (72, 168, 408, 912), 24),
    "032": ((2, 6, 15, 2), (96, 192, 432, 1008), 48),
    "040": ((2, 5, 14, 2), (80, 240, 560, 1360), 40),
    "064": ((2, 4, 10, 1), (168, 392, 784, 1624), 56),
    "080": ((2, 5, 15, 1), (80, 240, 720, 1920), 120),
    "120": ((2, 5, 11, 1), (224, 448, 896, 2240), 112),
    "160": ((2, 6, 13, 1), (256, 512, 896, 2048), 128),
    "320": ((2, 7, 13, 1), (336, 672, 1344, 2520), 168),
}
_Y = {
    "002": ((1, 1, 4, 7), (24, 56, 152, 368), 8),
    "004": ((1, 3, 6, 6), (48, 104, 208, 440), 8),
    "006": ((1, 3, 7, 4), (48, 112, 256, 608), 16),
    "008": ((1, 3, 8, 2), (64, 128, 320, 768), 16),
    "016": ((2, 6, 17, 2), (48, 120, 336, 888), 24),
    "032": ((2, 5, 13, 1), (72, 216, 576, 1512), 24),
    "040": ((2, 6, 12, 2), (128, 192, 512, 1088), 64),
    "064": ((2, 7, 14, 2), (144, 288, 576, 1296), 72),
    "080": ((2, 4, 10, 1), (168, 448, 896, 2016), 56),
    "120": ((2, 5, 11, 1), (224, 448, 896, 2240), 112),
    "160": ((2, 4, 11, 1), (224, 448, 1232, 3024), 112),
    "320": ((2, 5, 12, 1), (232, 696, 1392, 3712), 232),
}


def _squeeze(b, x, filters, name):
    name += "_squeeze_and_excite_"
    s = layers.GlobalAveragePooling2D(keepdims=True, name=name + "gap")(x)
    s = b.conv(s, filters, 1, name + "squeeze", use_bias=True, activation="relu")
    s = b.conv(s, b.channels(x), 1, name + "excite", use_bias=True, activation="sigmoid")
    return x * s


def _block(b, x, filters, group, stride, squeezed, name):
    narrow, skip = b.channels(x), x
    if stride != 1:
        skip = b.bn(b.conv(x, filters, 1, name + "_skip_1x1", stride), name + "_skip_bn")
    x = b.bn(b.conv(x, filters, 1, name + "_conv_1x1_1"), name + "_conv_1x1_1_bn")
    x = layers.ReLU(name=name + "_conv_1x1_1_relu")(x)
    x = b.conv(x, filters, 3, name + "_conv_3x3", stride, groups=filters // group)
    x = layers.ReLU(name=name + "_conv_3x3_relu")(b.bn(x, name + "_conv_3x3_bn"))
    if squeezed:
        x = _squeeze(b, x, int(narrow * 0.25), name)
    x = b.bn(b.conv(x, filters, 1, name + "_conv_1x1_2"), name + "_conv_1x1_2_bn")
    return layers.ReLU(name=name + "_exit_relu")(x + skip)


def _regnet(title, spec, picture, pooling, classes, activation, name,
            include_preprocessing=True, model_name=None, **old):
    kind, depths, widths, group = spec
    name = model_name or name
    b = Build(224, **picture, momentum=0.9, epsilon=1e-5)
    x = b.image
    if include_preprocessing:
        x = layers.Rescaling(scale=1.0 / 255.0, name=name + "_prestem_rescaling")(x)
    x = b.bn(b.conv(x, 32, 3, name + "_stem_conv", 2), name + "_stem_bn")
    x = layers.ReLU(name=name + "_stem_relu")(x)
    for i, (depth, width) in enumerate(zip(depths, widths)):
        for j in range(depth):
            x = _block(b, x, width, group, 1 if j else 2, kind == "Y",
                       f"{name}_Stage_{i}_{kind}Block_{j}")
    if not b.top:
        return b.model(b.pooled(x, pooling, False), name)
    x = layers.GlobalAveragePooling2D(name=name + "_head_gap")(x)
    x = layers.Dense(classes, activation=activation, name=name + "head_dense")(x)
    return b.model(x, name)


for _kind, _table in (("X", _X), ("Y", _Y)):
    for _size, _spec in _table.items():
        globals()["RegNet" + _kind + _size] = family(_regnet, "RegNet" + _kind + _size, _kind,
                                                     *_spec)
