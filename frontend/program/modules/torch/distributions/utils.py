from ._base import broadcast_all
import torch


def logits_to_probs(logits, is_binary=False):
    return torch.sigmoid(logits) if is_binary else torch.softmax(logits, -1)


def probs_to_logits(probs, is_binary=False):
    return torch.log(probs) - torch.log1p(-probs) if is_binary else torch.log(probs)
