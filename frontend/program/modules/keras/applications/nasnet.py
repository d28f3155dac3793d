"""NASNet-A (Zoph et al. 2017)."""

from keras import layers
from ._common import Build
from .imagenet_utils import decode_predictions, tf_input as preprocess_input


def _separable(b, x, filters, kernel, strides, i):
    """Twice relu, a separable convolution and a normalisation; the first one may halve."""
    x, padding = layers.Activation("relu")(x), "same"
    if strides == 2:
        x, padding = b.pad(x, b.even_pad(x, kernel), "separable_conv_1_pad_" + i), "valid"
    x = layers.SeparableConv2D(filters, kernel, strides=strides, padding=padding,
                               use_bias=False, name="separable_conv_1_" + i)(x)
    x = layers.Activation("relu")(b.bn(x, "separable_conv_1_bn_" + i))
    x = layers.SeparableConv2D(filters, kernel, padding="same", use_bias=False,
                               name="separable_conv_2_" + i)(x)
    return b.bn(x, "separable_conv_2_bn_" + i)


def _half(b, x, filters, which, i):
    x = layers.AveragePooling2D(1, strides=2, name=f"adjust_avg_pool_{which}_{i}")(x)
    return b.conv(x, filters // 2, 1, f"adjust_conv_{which}_{i}")


def _adjusted(b, p, x, filters, i):
    """The output before the last, in the form of the last one."""
    if p is None:
        return x
    if p.shape[b.rows] != x.shape[b.rows]:
        p = b.act(p, "adjust_relu_1_" + i)
        even = _half(b, p, filters, 1, i)
        moved = layers.Cropping2D(((1, 0), (1, 0)))(b.pad(p, ((0, 1), (0, 1))))
        odd = _half(b, moved, filters, 2, i)
        return b.bn(b.concat([even, odd]), "adjust_bn_" + i)
    if b.channels(p) != filters:
        p = b.conv(b.act(p), filters, 1, "adjust_conv_projection_" + i)
        return b.bn(p, "adjust_bn_" + i)
    return p


def _mean(x, name):
    return layers.AveragePooling2D(3, strides=1, padding="same", name=name)(x)


def _normal(b, x, p, filters, i):
    p = _adjusted(b, p, x, filters, i)
    h = b.bn(b.conv(b.act(x), filters, 1, "normal_conv_1_" + i), "normal_bn_1_" + i)

    def sep(x, kernel, name):
        return _separable(b, x, filters, kernel, 1, f"normal_{name}_{i}")

    def add(n, left, right):
        return b.add([left, right], f"normal_add_{n}_{i}")
    parts = [p, add(1, sep(h, 5, "left1"), sep(p, 3, "right1")),
             add(2, sep(p, 5, "left2"), sep(p, 3, "right2")),
             add(3, _mean(h, "normal_left3_" + i), p),
             add(4, _mean(p, "normal_left4_" + i), _mean(p, "normal_right4_" + i)),
             add(5, sep(h, 3, "left5"), h)]
    return b.concat(parts, "normal_concat_" + i), x


def _reduction(b, x, p, filters, i):
    p = _adjusted(b, p, x, filters, i)
    h = b.bn(b.conv(b.act(x), filters, 1, "reduction_conv_1_" + i), "reduction_bn_1_" + i)
    wide = b.pad(h, b.even_pad(h, 3), "reduction_pad_1_" + i)

    def sep(x, kernel, name, strides=2):
        return _separable(b, x, filters, kernel, strides, f"reduction_{name}_{i}")

    def pool(kind, name):
        return kind(3, strides=2, name=f"reduction_{name}_{i}")(wide)
    x1 = b.add([sep(h, 5, "left1"), sep(p, 7, "right1")], "reduction_add_1_" + i)
    x2 = b.add([pool(layers.MaxPooling2D, "left2"), sep(p, 7, "right2")], "reduction_add_2_" + i)
    x3 = b.add([pool(layers.AveragePooling2D, "left3"), sep(p, 5, "right3")],
               "reduction_add3_" + i)
    x4 = b.add([x2, _mean(x1, "reduction_left4_" + i)])
    x5 = b.add([sep(x1, 3, "left4", 1), pool(layers.MaxPooling2D, "right5")],
               "reduction_add4_" + i)
    return b.concat([x2, x3, x4, x5], "reduction_concat_" + i), x


def NASNet(input_shape=None, penultimate_filters=4032, num_blocks=6, stem_block_filters=96,
           skip_reduction=True, filter_multiplier=2, include_top=True, weights=None,
           input_tensor=None, pooling=None, classes=1000, default_size=None,
           classifier_activation="softmax", name="NASNet", **old):
    b = Build(default_size or 331, include_top, weights, input_tensor, input_shape,
              momentum=0.9997, epsilon=1e-3)
    m, n = filter_multiplier, penultimate_filters // 24
    x = b.conv(b.image, stem_block_filters, 3, "stem_conv1", 2, "valid")
    x, p = b.bn(x, "stem_bn1"), None
    x, p = _reduction(b, x, p, n // m ** 2, "stem_1")
    x, p = _reduction(b, x, p, n // m, "stem_2")
    for stage in range(3):
        first = stage * num_blocks
        if stage:
            x, entry = _reduction(b, x, p, n * m ** stage, f"reduce_{first}")
            p = p if skip_reduction else entry
            first += 1
        for i in range(first, first + num_blocks):
            x, p = _normal(b, x, p, n * m ** stage, str(i))
    x = b.act(x)
    if include_top:
        x = layers.GlobalAveragePooling2D()(x)
        x = layers.Dense(classes, activation=classifier_activation, name="predictions")(x)
    else:
        x = b.pooled(x, pooling, False)
    return b.model(x, name)


def _member(title, *spec):
    def make(input_shape=None, include_top=True, weights="imagenet", input_tensor=None,
             pooling=None, classes=1000, classifier_activation="softmax", name=title.lower(),
             **old):
        penultimate, blocks, stem, skip, size = spec
        return NASNet(input_shape, penultimate, blocks, stem, skip, 2, include_top, weights,
                      input_tensor, pooling, classes, size, classifier_activation, name)
    make.__name__ = make.__qualname__ = title
    return make


NASNetMobile = _member("NASNetMobile", 1056, 4, 32, False, 224)
NASNetLarge = _member("NASNetLarge", 4032, 6, 96, True, 331)
