"""Metrics of masks."""

from segmentation_models import _scores
from segmentation_models._scores import SMOOTH, Score


class _Metric(Score):
    _of, _called = None, ""

    def __init__(self, class_weights=None, class_indexes=None, threshold=None, per_image=False,
                 smooth=SMOOTH, name=None, **more):
        function = type(self)._of
        Score.__init__(self, lambda gt, pr, **o: function(gt, pr, **o), name or self._called,
                       class_weights=class_weights, class_indexes=class_indexes,
                       threshold=threshold, per_image=per_image, smooth=smooth, **more)


class IOUScore(_Metric):
    _of, _called = staticmethod(_scores.iou), "iou_score"


class FScore(_Metric):
    _of = staticmethod(_scores.f_score)

    def __init__(self, beta=1, class_weights=None, class_indexes=None, threshold=None,
                 per_image=False, smooth=SMOOTH, name=None):
        _Metric.__init__(self, class_weights, class_indexes, threshold, per_image, smooth,
                         name or "f" + str(beta) + "-score", beta=beta)


class Precision(_Metric):
    _of, _called = staticmethod(lambda gt, pr, **o: _scores.part(2, gt, pr, **o)), "precision"


class Recall(_Metric):
    _of, _called = staticmethod(lambda gt, pr, **o: _scores.part(1, gt, pr, **o)), "recall"


iou_score, f1_score, f2_score = IOUScore(), FScore(beta=1), FScore(beta=2)
precision, recall = Precision(), Recall()
f_score = dice_score = f1_score
