"""Losses of keras_cv."""

import _tilewise
from keras import losses as _losses


class FocalLoss(_losses.BinaryFocalCrossentropy):
    def __init__(self, alpha=0.25, gamma=2, from_logits=False, label_smoothing=0, **kwargs):
        _losses.BinaryFocalCrossentropy.__init__(
            self, alpha=alpha, gamma=gamma, from_logits=from_logits,
            label_smoothing=label_smoothing, **kwargs)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("keras_cv.losses." + name)
