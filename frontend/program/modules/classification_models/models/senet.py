"""Squeeze-and-excitation networks (Hu et al. 2017), as ported from PyTorch."""

from keras import layers
from keras.applications.imagenet_utils import torch_input as preprocess_input
from classification_models.models._common import Made, member


def _unit(b, x, filters, strides, kind, first):
    entry = x
    inner = {"se": filters // 4, "next": filters // 2, "154": filters}[kind]
    narrow = filters // 2 if kind == "154" else inner
    x = b.act(b.bn(b.plain(x, narrow, 1, strides if kind == "se" else 1)))
    if kind == "se":
        x = b.rimmed(x, inner, 3)
    else:
        x = b.grouped(x, inner, strides, 64 if kind == "154" else 32)
    x = b.bn(b.plain(b.act(b.bn(x)), filters, 1))
    if strides != 1 or b.channels(entry) != filters:
        if kind == "154" and not first:
            entry = b.rimmed(entry, filters, 3, strides)
        else:
            entry = b.plain(entry, filters, 1, strides)
        entry = b.bn(entry)
    return b.act(b.add([b.squeeze(x), entry]))


def _senet(title, spec, picture, classes):
    kind, repeats = spec
    b = Made(*picture, epsilon=9.999999747378752e-06)
    x = b.image
    for filters, kernel, strides in (((64, 3, 2), (64, 3, 1), (128, 3, 1)) if kind == "154" else
                                     ((64, 7, 2),)):
        x = b.act(b.bn(b.rimmed(x, filters, kernel, strides)))
    x = layers.MaxPooling2D(3, strides=2)(b.pad(x, 1))
    for i, repeat in enumerate(repeats):
        for j in range(repeat):
            x = _unit(b, x, 256 << i, 2 if i and j == 0 else 1, kind, i == 0 and j == 0)
    if b.top and kind == "154":
        x = layers.GlobalAveragePooling2D()(x)
        x = layers.Dense(classes)(layers.Dropout(0.2)(x))
        return b.model(b.act(x, "output", "softmax"), title.lower())
    return b.model(b.ended(x, classes, False), title.lower())


SEResNet50 = member(_senet, "SEResNet50", "se", (3, 4, 6, 3))
SEResNet101 = member(_senet, "SEResNet101", "se", (3, 4, 23, 3))
SEResNet152 = member(_senet, "SEResNet152", "se", (3, 8, 36, 3))
SEResNeXt50 = member(_senet, "SEResNeXt50", "next", (3, 4, 6, 3))
SEResNeXt101 = member(_senet, "SEResNeXt101", "next", (3, 4, 23, 3))
SENet154 = member(_senet, "SENet154", "154", (3, 8, 36, 3))
