"""Xception (Chollet 2016)."""

from keras import layers
from ._common import Build, family
from .imagenet_utils import decode_predictions, tf_input as preprocess_input


def _separable(b, x, filters, name):
    x = layers.SeparableConv2D(filters, 3, padding="same", use_bias=False, name=name)(x)
    return b.bn(x, name + "_bn")


def _entry(b, x, block, widths, first_act=True):
    """Two separable convolutions and a pool, beside a strided convolution."""
    skip = b.bn(b.conv(x, widths[-1], 1, None, 2))
    for i, filters in enumerate(widths, 1):
        name = f"block{block}_sepconv{i}"
        if i > 1 or first_act:
            x = b.act(x, name + "_act")
        x = _separable(b, x, filters, name)
    x = layers.MaxPooling2D(3, strides=2, padding="same", name=f"block{block}_pool")(x)
    return b.add([x, skip])


def _middle(b, x, block):
    skip = x
    for i in (1, 2, 3):
        name = f"block{block}_sepconv{i}"
        x = _separable(b, b.act(x, name + "_act"), 728, name)
    return b.add([x, skip])


def _xception(title, spec, picture, pooling, classes, activation, name):
    b = Build(299, **picture)
    x = b.image
    for i, filters, stride in ((1, 32, 2), (2, 64, 1)):
        conv = f"block1_conv{i}"
        x = b.bn(b.conv(x, filters, 3, conv, stride, "valid"), conv + "_bn")
        x = b.act(x, conv + "_act")
    for block, width in ((2, 128), (3, 256), (4, 728)):
        x = _entry(b, x, block, (width, width), block > 2)
    for block in range(5, 13):
        x = _middle(b, x, block)
    x = _entry(b, x, 13, (728, 1024))
    for i, filters in ((1, 1536), (2, 2048)):
        conv = f"block14_sepconv{i}"
        x = b.act(_separable(b, x, filters, conv), conv + "_act")
    if b.top:
        x = b.classify(x, classes, activation, pooling)
    else:
        x = b.pooled(x, pooling, False)
    return b.model(x, name)


Xception = family(_xception, "Xception")
