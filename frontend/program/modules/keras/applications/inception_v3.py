"""Inception v3 (Szegedy et al. 2015). Its convolutions keep the names that layers get."""

from keras import layers
from ._common import Build, family
from .imagenet_utils import decode_predictions, tf_input as preprocess_input

# Filters, window and step; the third keeps the size of the picture. None halves it.
_STEM = ((32, 3, 2), (32, 3, 1), (64, 3, 1, "same"), None, (80, 1, 1), (192, 3, 1), None)


def _conv(b, x, filters, kernel, strides=1, padding="same"):
    return b.act(b.bn(b.conv(x, filters, kernel, None, strides, padding)))


def _chain(b, x, *steps):
    for step in steps:
        x = _conv(b, x, *step)
    return x


def _mean(x):
    return layers.AveragePooling2D(3, strides=1, padding="same")(x)


def _halve(x, ends):
    return layers.MaxPooling2D(3, strides=2, padding=ends)(x)


def _stem(b, ends):
    x = b.image
    for step in _STEM:
        x = _halve(x, ends) if step is None else _conv(b, x, *(step + (ends,))[:4])
    return x


def _wide(b, x, projected, name):
    """Windows of 1, 5 and twice 3."""
    return b.concat([
        _conv(b, x, 64, 1), _chain(b, x, (48, 1), (64, 5)),
        _chain(b, x, (64, 1), (96, 3), (96, 3)), _conv(b, _mean(x), projected, 1)], name)


def _crossed(b, x, n, name):
    """Windows of 7 as rows and columns."""
    row, column = (1, 7), (7, 1)
    return b.concat([
        _conv(b, x, 192, 1), _chain(b, x, (n, 1), (n, row), (192, column)),
        _chain(b, x, (n, 1), (n, column), (n, row), (n, column), (192, row)),
        _conv(b, _mean(x), 192, 1)], name)


def _fork(b, x, name=None):
    return b.concat([_conv(b, x, 384, (1, 3)), _conv(b, x, 384, (3, 1))], name)


def _last(b, x, i):
    return b.concat([
        _conv(b, x, 320, 1), _fork(b, _conv(b, x, 384, 1), f"mixed9_{i}"),
        _fork(b, _chain(b, x, (448, 1), (384, 3))), _conv(b, _mean(x), 192, 1)],
        f"mixed{9 + i}")


def _inception(title, spec, picture, pooling, classes, activation, name, ends="valid"):
    """`ends`: the padding where the picture shrinks."""
    b = Build(299, **picture, scale=False)
    x = _stem(b, ends)
    for i, projected in enumerate((32, 64, 64)):
        x = _wide(b, x, projected, f"mixed{i}")
    end = (2, ends)
    x = b.concat([_conv(b, x, 384, 3, *end), _chain(b, x, (64, 1), (96, 3), (96, 3) + end),
                  _halve(x, ends)], "mixed3")
    for i, n in enumerate((128, 160, 160, 192), 4):
        x = _crossed(b, x, n, f"mixed{i}")
    x = b.concat([_chain(b, x, (192, 1), (320, 3) + end),
                  _chain(b, x, (192, 1), (192, (1, 7)), (192, (7, 1)), (192, 3) + end),
                  _halve(x, ends)], "mixed8")
    x = _last(b, _last(b, x, 0), 1)
    if b.top:
        return b.model(b.classify(x, classes, activation, pooling), name)
    return b.model(b.pooled(x, pooling, False), name)


InceptionV3 = family(_inception, "InceptionV3", called="inception_v3")
