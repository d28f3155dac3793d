"""Losses that add up."""

from torch import nn
from segmentation_models_pytorch.utils.base import Activation, Loss


def _sums(pr, gt):
    return (gt * pr).sum(), gt.sum(), pr.sum()


class _Overlap(Loss):
    def __init__(self, eps=1.0, beta=1.0, activation=None, ignore_channels=None, **kwargs):
        super().__init__(**kwargs)
        self.eps, self.beta, self.ignore_channels = eps, beta, ignore_channels
        self.activation = Activation(activation)

    def _kept(self, x):
        if self.ignore_channels is None:
            return x
        return x[:, [i for i in range(x.shape[1]) if i not in self.ignore_channels]]

    def forward(self, y_pr, y_gt):
        return 1 - self.score(*_sums(self._kept(self.activation(y_pr)), self._kept(y_gt)))


class JaccardLoss(_Overlap):
    def score(self, both, a, b):
        return (both + self.eps) / (a + b - both + self.eps)


class DiceLoss(_Overlap):
    def score(self, both, a, b):
        square = self.beta ** 2
        return ((1 + square) * both + self.eps) / (square * a + b + self.eps)


class L1Loss(nn.L1Loss, Loss):
    _name = None


class MSELoss(nn.MSELoss, Loss):
    _name = None


class CrossEntropyLoss(nn.CrossEntropyLoss, Loss):
    _name = None


class NLLLoss(nn.NLLLoss, Loss):
    _name = None


class BCELoss(nn.BCELoss, Loss):
    _name = None


class BCEWithLogitsLoss(nn.BCEWithLogitsLoss, Loss):
    _name = None
