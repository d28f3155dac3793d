"""Losses."""

from torch import nn
from torch.nn import functional as F


class LabelSmoothingCrossEntropy(nn.Module):
    def __init__(self, smoothing=0.1):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, x, target):
        return F.cross_entropy(x, target, label_smoothing=self.smoothing)


class SoftTargetCrossEntropy(nn.Module):
    def forward(self, x, target):
        return F.cross_entropy(x, target)


class JsdCrossEntropy(LabelSmoothingCrossEntropy):
    def __init__(self, num_splits=3, alpha=12, smoothing=0.1):
        LabelSmoothingCrossEntropy.__init__(self, smoothing)


class BinaryCrossEntropy(nn.Module):
    def __init__(self, smoothing=0.1, target_threshold=None, weight=None, reduction="mean",
                 sum_classes=False, pos_weight=None):
        super().__init__()
        self.reduction = reduction

    def forward(self, x, target):
        if target.shape != x.shape:
            target = F.one_hot(target, x.shape[-1])
        return F.binary_cross_entropy_with_logits(x, target.to(x.dtype),
                                                  reduction=self.reduction)
