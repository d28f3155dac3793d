"""Overlaps of masks, and losses made of them."""

from keras import backend as K

SMOOTH = 1e-5


def _of_classes(x, indexes):
    """The channels of those classes."""
    if indexes is None:
        return x
    indexes = [indexes] if isinstance(indexes, int) else list(indexes)
    return K.stack([x[..., i] for i in indexes], axis=-1)


def _sums(gt, pr, class_indexes, per_image, threshold):
    """Of what both have, of the truth, of the prediction."""
    gt, pr = _of_classes(gt, class_indexes), _of_classes(pr, class_indexes)
    gt = K.cast(gt, K.dtype(pr))
    if threshold is not None:
        pr = K.cast(pr > threshold, K.dtype(pr))
    axes = [1, 2] if per_image else [0, 1, 2]
    return [K.sum(x, axis=axes) for x in (gt * pr, gt, pr)]


def _mean(x, per_image, class_weights):
    if per_image:
        x = K.mean(x, axis=0)
    return K.mean(x if class_weights is None else x * class_weights)


def iou(gt, pr, class_weights=None, class_indexes=None, smooth=SMOOTH, per_image=False,
        threshold=None):
    both, a, b = _sums(gt, pr, class_indexes, per_image, threshold)
    return _mean((both + smooth) / (a + b - both + smooth), per_image, class_weights)


def f_score(gt, pr, beta=1, class_weights=None, class_indexes=None, smooth=SMOOTH,
            per_image=False, threshold=None):
    both, a, b = _sums(gt, pr, class_indexes, per_image, threshold)
    square = beta ** 2
    score = ((1 + square) * both + smooth) / (square * a + b + smooth)
    return _mean(score, per_image, class_weights)


def part(of, gt, pr, class_weights=None, class_indexes=None, smooth=SMOOTH, per_image=False,
         threshold=None):
    """What both have, of the truth (1) or of the prediction (2)."""
    sums = _sums(gt, pr, class_indexes, per_image, threshold)
    return _mean((sums[0] + smooth) / (sums[of] + smooth), per_image, class_weights)


class Score:
    """A loss or metric with its arguments; losses add up."""

    def __init__(self, function, name, **options):
        self.function, self.name, self.options = function, name, options
        self.__name__ = name

    def __call__(self, gt, pr, sample_weight=None):
        return self.function(gt, pr, **self.options)
