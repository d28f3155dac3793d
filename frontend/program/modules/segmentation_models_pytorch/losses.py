"""Losses of masks: `mode` says how many classes a place may have."""

import torch
from torch import nn
from torch.nn import functional as F

BINARY_MODE, MULTICLASS_MODE, MULTILABEL_MODE = "binary", "multiclass", "multilabel"


def soft_tversky_score(output, target, alpha, beta, smooth=0.0, eps=1e-7, dims=None):
    both = torch.sum(output * target, dim=dims) if dims is not None else torch.sum(output * target)
    a = torch.sum(output, dim=dims) if dims is not None else torch.sum(output)
    b = torch.sum(target, dim=dims) if dims is not None else torch.sum(target)
    low = both + alpha * (a - both) + beta * (b - both) + smooth
    return (both + smooth) / low.clamp_min(eps)


def soft_jaccard_score(output, target, smooth=0.0, eps=1e-7, dims=None):
    return soft_tversky_score(output, target, 1.0, 1.0, smooth, eps, dims)


def soft_dice_score(output, target, smooth=0.0, eps=1e-7, dims=None):
    return soft_tversky_score(output, target, 0.5, 0.5, smooth, eps, dims)


class _Overlap(nn.Module):
    def __init__(self, mode, classes=None, log_loss=False, from_logits=True, smooth=0.0,
                 ignore_index=None, eps=1e-7, class_weights=None):
        super().__init__()
        self.mode, self.classes, self.log_loss = mode, classes, log_loss
        self.from_logits, self.smooth, self.eps = from_logits, smooth, eps
        self.ignore_index = ignore_index
        self.class_weights = None if class_weights is None else torch.as_tensor(
            class_weights, dtype=torch.float32)
        self.power = 1.0

    def forward(self, y_pred, y_true):
        multiclass, n = self.mode == MULTICLASS_MODE, y_true.size(0)
        if self.from_logits:
            y_pred = y_pred.log_softmax(dim=1).exp() if multiclass else \
                F.logsigmoid(y_pred).exp()
        classes = 1 if self.mode == BINARY_MODE else y_pred.size(1)
        y_pred = y_pred.reshape(n, classes, -1)
        y_true = y_true.reshape(n, -1) if multiclass else y_true.reshape(n, classes, -1)
        kept = None if self.ignore_index is None else y_true != self.ignore_index
        if multiclass:
            if kept is not None:
                y_true = y_true * kept
                kept = kept.unsqueeze(1)
            y_true = F.one_hot(y_true.long(), classes).permute(0, 2, 1)
        if kept is not None:
            y_pred, y_true = y_pred * kept, y_true * kept
        y_true = y_true.type_as(y_pred)
        scores = self.score(y_pred, y_true, (0, 2))
        loss = -torch.log(scores.clamp_min(self.eps)) if self.log_loss else 1.0 - scores
        loss = loss * (y_true.sum((0, 2)) > 0).to(loss.dtype)
        weights = self.class_weights
        if self.classes is not None:
            loss = loss[self.classes]
            weights = None if weights is None else weights[self.classes]
        loss = loss.mean() if weights is None else (loss * weights).sum() / weights.sum()
        return loss if self.power == 1.0 else loss ** self.power


class DiceLoss(_Overlap):
    def score(self, y_pred, y_true, dims):
        return soft_dice_score(y_pred, y_true, self.smooth, self.eps, dims)


class JaccardLoss(_Overlap):
    def score(self, y_pred, y_true, dims):
        return soft_jaccard_score(y_pred, y_true, self.smooth, self.eps, dims)


class TverskyLoss(_Overlap):
    def __init__(self, mode, classes=None, log_loss=False, from_logits=True, smooth=0.0,
                 ignore_index=None, eps=1e-7, alpha=0.5, beta=0.5, gamma=1.0, class_weights=None):
        super().__init__(mode, classes, log_loss, from_logits, smooth, ignore_index, eps,
                         class_weights)
        self.alpha, self.beta, self.power = alpha, beta, gamma

    def score(self, y_pred, y_true, dims):
        return soft_tversky_score(y_pred, y_true, self.alpha, self.beta, self.smooth, self.eps,
                                  dims)


def _reduced(loss, reduction):
    return {"mean": loss.mean, "sum": loss.sum}.get(reduction, lambda: loss)()


def focal_loss_with_logits(output, target, gamma=2.0, alpha=0.25, reduction="mean",
                           normalized=False, reduced_threshold=None, eps=1e-6):
    target = target.type_as(output)
    log = F.binary_cross_entropy_with_logits(output, target, reduction="none")
    p = torch.exp(-log)
    term = (1.0 - p) ** gamma if reduced_threshold is None else torch.where(
        p < reduced_threshold, torch.ones_like(p), ((1.0 - p) / reduced_threshold) ** gamma)
    loss = term * log
    if alpha is not None:
        loss = loss * (alpha * target + (1 - alpha) * (1 - target))
    if normalized:
        loss = loss / term.sum().clamp_min(eps)
    return _reduced(loss, reduction)


class FocalLoss(nn.Module):
    """Places to ignore are counted as others are: how many they are is not known."""

    def __init__(self, mode, alpha=None, gamma=2.0, ignore_index=None, from_logits=True, eps=1e-7,
                 reduction="mean", normalized=False, reduced_threshold=None, class_weights=None):
        super().__init__()
        self.mode, self.ignore_index = mode, ignore_index
        self.options = dict(alpha=alpha, gamma=gamma, reduction=reduction, normalized=normalized,
                            reduced_threshold=reduced_threshold)

    def forward(self, y_pred, y_true):
        if self.mode == BINARY_MODE:
            return focal_loss_with_logits(y_pred.reshape(-1), y_true.reshape(-1), **self.options)
        losses = [focal_loss_with_logits(
            y_pred[:, i, ...], (y_true == i) if self.mode == MULTICLASS_MODE else y_true[:, i, ...],
            **self.options) for i in range(y_pred.size(1))]
        return sum(losses[1:], losses[0]) / len(losses)


class SoftBCEWithLogitsLoss(nn.Module):
    def __init__(self, weight=None, ignore_index=-100, reduction="mean", smooth_factor=None,
                 pos_weight=None):
        super().__init__()
        self.weight, self.pos_weight, self.ignore_index = weight, pos_weight, ignore_index
        self.reduction, self.smooth_factor = reduction, smooth_factor

    def forward(self, y_pred, y_true):
        s, target = self.smooth_factor, y_true
        if s is not None:
            target = (1 - y_true) * s + y_true * (1 - s)
        loss = F.binary_cross_entropy_with_logits(y_pred, target, self.weight, reduction="none",
                                                  pos_weight=self.pos_weight)
        if self.ignore_index is not None:
            loss = loss * (y_true != self.ignore_index).type_as(loss)
        return _reduced(loss, self.reduction)


class SoftCrossEntropyLoss(nn.Module):
    def __init__(self, reduction="mean", smooth_factor=None, ignore_index=-100, dim=1):
        super().__init__()
        self.options = dict(reduction=reduction, label_smoothing=smooth_factor or 0.0,
                            ignore_index=-100 if ignore_index is None else ignore_index)

    def forward(self, y_pred, y_true):
        return F.cross_entropy(y_pred, y_true, **self.options)


class MCCLoss(nn.Module):
    def __init__(self, eps=1e-5):
        super().__init__()
        self.eps = eps

    def forward(self, y_pred, y_true):
        n = y_true.shape[0]
        t, p = y_true.reshape(n, 1, -1), y_pred.reshape(n, 1, -1)
        tp, tn = (p * t).sum() + self.eps, ((1 - p) * (1 - t)).sum() + self.eps
        fp, fn = (p * (1 - t)).sum() + self.eps, ((1 - p) * t).sum() + self.eps
        return 1.0 - (tp * tn - fp * fn) / torch.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def _lovasz_grad(sorted_truth):
    total, seen = sorted_truth.sum(), sorted_truth.cumsum(0)
    union = total + (1 - sorted_truth).cumsum(0)
    jaccard = 1.0 - (total - seen) / union
    return torch.cat([jaccard[:1], jaccard[1:] - jaccard[:-1]])


class LovaszLoss(nn.Module):
    """Errors in order of their size, each weighed by what it adds to the loss."""

    def __init__(self, mode, per_image=False, ignore_index=None, from_logits=True):
        super().__init__()
        self.mode, self.per_image, self.ignore_index = mode, per_image, ignore_index

    def _flat(self, errors, truth):
        ordered, places = torch.sort(errors, dim=0, descending=True)
        return torch.dot(ordered, _lovasz_grad(truth[places]))

    def forward(self, y_pred, y_true):
        if self.mode != MULTICLASS_MODE:
            p, t = y_pred.reshape(-1), y_true.reshape(-1).type_as(y_pred)
            return self._flat(F.relu(1.0 - p * (2.0 * t - 1.0)), t)
        n = y_pred.size(1)
        p, t = y_pred.softmax(dim=1).movedim(1, -1).reshape(-1, n), y_true.reshape(-1)
        parts = []
        for i in range(n):
            one = (t == i).type_as(p)
            parts.append(self._flat((one - p[:, i]).abs(), one))
        return sum(parts[1:], parts[0]) / n
