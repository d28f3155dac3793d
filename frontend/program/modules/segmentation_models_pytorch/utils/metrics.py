"""Metrics: what they count is not run."""

import torch
from segmentation_models_pytorch.utils.base import Metric


class _Count(Metric):
    def __init__(self, *args, name=None, **kwargs):
        super().__init__(name)

    def forward(self, y_pr, y_gt):
        return torch.zeros(())


class IoU(_Count):
    __name__ = "iou_score"


class Fscore(_Count):
    pass


class Accuracy(_Count):
    pass


class Recall(_Count):
    pass


class Precision(_Count):
    pass
