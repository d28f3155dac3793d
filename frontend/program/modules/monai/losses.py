"""Losses of segmentation, as sums over the classes."""

import torch
from torch import nn
from torch.nn import functional as F
from _tilewise_nothing import module

_other = module("monai.losses")


def _truth(target, x, to_onehot):
    """What is compared with, as large as the output."""
    from torch.nn.functional import _expected
    target = _expected(target, x, False)
    if to_onehot and target.shape[1] != x.shape[1]:
        target = F.one_hot(target.squeeze(1).long(), x.shape[1]).movedim(-1, 1)
    return target.float()


class DiceLoss(nn.Module):
    def __init__(self, include_background=True, to_onehot_y=False, sigmoid=False, softmax=False,
                 *args, **kwargs):
        super().__init__()
        self.background, self.onehot = include_background, to_onehot_y
        self.sigmoid, self.softmax = sigmoid, softmax

    def forward(self, input, target):
        target = _truth(target, input, self.onehot)
        p = input.sigmoid() if self.sigmoid else input.softmax(1) if self.softmax else input
        if not self.background and p.shape[1] > 1:
            p, target = p[:, 1:], target[:, 1:]
        dims = list(range(2, p.dim()))
        both = (p * target).sum(dims)
        return (1 - (2 * both + 1e-5) / (p.sum(dims) + target.sum(dims) + 1e-5)).mean()


GeneralizedDiceLoss = TverskyLoss = Dice = MaskedDiceLoss = DiceLoss


class DiceCELoss(DiceLoss):
    def forward(self, input, target):
        target = _truth(target, input, self.onehot)
        plain, self.onehot = self.onehot, False
        dice = super().forward(input, target)
        self.onehot = plain
        if self.sigmoid:
            return dice + F.binary_cross_entropy_with_logits(input, target)
        return dice - (input.log_softmax(1) * target).sum(1).mean()


DiceFocalLoss = DiceCELoss


class FocalLoss(nn.Module):
    def __init__(self, include_background=True, to_onehot_y=False, gamma=2.0, *args, **kwargs):
        super().__init__()
        self.onehot, self.gamma = to_onehot_y, gamma

    def forward(self, input, target):
        target = _truth(target, input, self.onehot)
        p = input.sigmoid()
        value = F.binary_cross_entropy_with_logits(input, target, reduction="none")
        return ((1 - (p * target + (1 - p) * (1 - target))) ** self.gamma * value).mean()


def __getattr__(name):
    return _other(name)
