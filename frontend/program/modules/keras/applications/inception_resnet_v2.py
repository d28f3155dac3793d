"""Inception-ResNet v2 (Szegedy et al. 2016)."""

from keras import layers
from ._common import Build, family
from .imagenet_utils import decode_predictions, tf_input as preprocess_input

# Filters, window and step; the third keeps the size of the picture. None halves it.
_STEM = ((32, 3, 2), (32, 3, 1), (64, 3, 1, "same"), None, (80, 1, 1), (192, 3, 1), None)
# Branches, the part of their sum that is added, and how often.
_KINDS = {
    "block35": (((32, 1),), ((32, 1), (32, 3)), ((32, 1), (48, 3), (64, 3))),
    "block17": (((192, 1),), ((128, 1), (160, (1, 7)), (192, (7, 1)))),
    "block8": (((192, 1),), ((192, 1), (224, (1, 3)), (256, (3, 1)))),
}


class CustomScaleLayer(layers.Layer):
    """A sum whose second part is weighed."""

    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def get_config(self):
        return {**super().get_config(), "scale": self.scale}

    def call(self, inputs):
        return inputs[0] + inputs[1] * self.scale


def _conv(b, x, filters, kernel, strides=1, padding="same", name=None):
    x = b.bn(b.conv(x, filters, kernel, name, strides, padding), name and name + "_bn")
    return b.act(x, name and name + "_ac")


def _chain(b, x, steps):
    for step in steps:
        x = _conv(b, x, *step)
    return x


def _halve(x, ends):
    return layers.MaxPooling2D(3, strides=2, padding=ends)(x)


def _residual(b, x, kind, scale, i, active=True):
    name = f"{kind}_{i}"
    mixed = b.concat([_chain(b, x, steps) for steps in _KINDS[kind]], name + "_mixed")
    up = b.conv(mixed, b.channels(x), 1, name + "_conv", use_bias=True)
    x = CustomScaleLayer(scale, name=name)([x, up])
    return b.act(x, name + "_ac") if active else x


def _net(title, spec, picture, pooling, classes, activation, name, ends="valid"):
    """`ends`: the padding where the picture shrinks."""
    b = Build(299, **picture, scale=False)
    x, end = b.image, (2, ends)
    for step in _STEM:
        x = _halve(x, ends) if step is None else _conv(b, x, *(step + (ends,))[:4])
    branches = [_chain(b, x, steps) for steps in (
        ((96, 1),), ((48, 1), (64, 5)), ((64, 1), (96, 3), (96, 3)))]
    mean = layers.AveragePooling2D(3, strides=1, padding="same")(x)
    x = b.concat(branches + [_conv(b, mean, 64, 1)], "mixed_5b")
    for i in range(1, 11):
        x = _residual(b, x, "block35", 0.17, i)
    branches = [_chain(b, x, steps) for steps in (
        ((384, 3) + end,), ((256, 1), (256, 3), (384, 3) + end))]
    x = b.concat(branches + [_halve(x, ends)], "mixed_6a")
    for i in range(1, 21):
        x = _residual(b, x, "block17", 0.1, i)
    branches = [_chain(b, x, steps) for steps in (
        ((256, 1), (384, 3) + end), ((256, 1), (288, 3) + end),
        ((256, 1), (288, 3), (320, 3) + end))]
    x = b.concat(branches + [_halve(x, ends)], "mixed_7a")
    for i in range(1, 10):
        x = _residual(b, x, "block8", 0.2, i)
    x = _conv(b, _residual(b, x, "block8", 1.0, 10, False), 1536, 1, name="conv_7b")
    if b.top:
        return b.model(b.classify(x, classes, activation, pooling), name)
    return b.model(b.pooled(x, pooling, False), name)


InceptionResNetV2 = family(_net, "InceptionResNetV2", called="inception_resnet_v2")
