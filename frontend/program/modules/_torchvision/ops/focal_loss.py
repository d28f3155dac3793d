"""The loss of RetinaNet."""

from torch.nn import functional as F


def sigmoid_focal_loss(inputs, targets, alpha=0.25, gamma=2, reduction="none"):
    p = inputs.sigmoid()
    of_class = p * targets + (1 - p) * (1 - targets)
    loss = F.binary_cross_entropy_with_logits(inputs, targets, reduction="none")
    loss = loss * (1 - of_class) ** gamma
    if alpha >= 0:
        loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
    return {"mean": loss.mean, "sum": loss.sum}[reduction]() if reduction != "none" else loss
