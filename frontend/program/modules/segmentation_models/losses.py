"""Losses of masks."""

from keras import backend as K
from segmentation_models import _scores
from segmentation_models._scores import SMOOTH, Score, _of_classes


class Loss(Score):
    def __add__(self, other):
        return Loss(lambda gt, pr: self(gt, pr) + other(gt, pr), self.name + "_plus_" + other.name)

    __radd__ = __add__

    def __mul__(self, value):
        return Loss(lambda gt, pr: value * self(gt, pr), str(value) + self.name)

    __rmul__ = __mul__


class JaccardLoss(Loss):
    def __init__(self, class_weights=None, class_indexes=None, per_image=False, smooth=SMOOTH):
        Loss.__init__(self, lambda gt, pr, **o: 1 - _scores.iou(gt, pr, **o), "jaccard_loss",
                      class_weights=class_weights, class_indexes=class_indexes,
                      per_image=per_image, smooth=smooth)


class DiceLoss(Loss):
    def __init__(self, beta=1, class_weights=None, class_indexes=None, per_image=False,
                 smooth=SMOOTH):
        Loss.__init__(self, lambda gt, pr, **o: 1 - _scores.f_score(gt, pr, **o), "dice_loss",
                      beta=beta, class_weights=class_weights, class_indexes=class_indexes,
                      per_image=per_image, smooth=smooth)


def _clipped(gt, pr):
    pr = K.clip(pr, K.epsilon(), 1.0 - K.epsilon())
    return K.cast(gt, K.dtype(pr)), pr


def _binary(gt, pr):
    return K.mean(K.binary_crossentropy(K.cast(gt, K.dtype(pr)), pr))


def _categorical(gt, pr, class_weights=None, class_indexes=None):
    gt, pr = _of_classes(gt, class_indexes), _of_classes(pr, class_indexes)
    gt, pr = _clipped(gt, pr / K.sum(pr, axis=-1, keepdims=True))
    out = gt * K.log(pr)
    return -K.mean(out if class_weights is None else out * class_weights)


def _categorical_focal(gt, pr, alpha, gamma, class_indexes=None):
    gt, pr = _clipped(_of_classes(gt, class_indexes), _of_classes(pr, class_indexes))
    return K.mean(-gt * (alpha * K.pow(1 - pr, gamma) * K.log(pr)))


def _binary_focal(gt, pr, alpha, gamma):
    gt, pr = _clipped(gt, pr)
    one = -gt * (alpha * K.pow(1 - pr, gamma) * K.log(pr))
    zero = -(1 - gt) * ((1 - alpha) * K.pow(pr, gamma) * K.log(1 - pr))
    return K.mean(one + zero)


class BinaryCELoss(Loss):
    def __init__(self):
        Loss.__init__(self, _binary, "binary_crossentropy")


class CategoricalCELoss(Loss):
    def __init__(self, class_weights=None, class_indexes=None):
        Loss.__init__(self, _categorical, "categorical_crossentropy",
                      class_weights=class_weights, class_indexes=class_indexes)


class CategoricalFocalLoss(Loss):
    def __init__(self, alpha=0.25, gamma=2.0, class_indexes=None):
        Loss.__init__(self, _categorical_focal, "focal_loss", alpha=alpha, gamma=gamma,
                      class_indexes=class_indexes)


class BinaryFocalLoss(Loss):
    def __init__(self, alpha=0.25, gamma=2.0):
        Loss.__init__(self, _binary_focal, "binary_focal_loss", alpha=alpha, gamma=gamma)


jaccard_loss, dice_loss = JaccardLoss(), DiceLoss()
binary_focal_loss, categorical_focal_loss = BinaryFocalLoss(), CategoricalFocalLoss()
binary_crossentropy, categorical_crossentropy = BinaryCELoss(), CategoricalCELoss()
bce_dice_loss = binary_crossentropy + dice_loss
bce_jaccard_loss = binary_crossentropy + jaccard_loss
cce_dice_loss = categorical_crossentropy + dice_loss
cce_jaccard_loss = categorical_crossentropy + jaccard_loss
binary_focal_dice_loss = binary_focal_loss + dice_loss
binary_focal_jaccard_loss = binary_focal_loss + jaccard_loss
categorical_focal_dice_loss = categorical_focal_loss + dice_loss
categorical_focal_jaccard_loss = categorical_focal_loss + jaccard_loss
