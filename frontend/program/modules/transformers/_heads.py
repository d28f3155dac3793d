"""Losses of models, and what stands on top of them."""

import _tilewise
from torch.nn import functional as F
from transformers.modeling_outputs import made


def causal_loss(logits, labels):
    """Cross entropy of the next token, in single precision."""
    logits = logits.float()
    n, v = labels.shape[1], logits.shape[-1]
    if n > 1:
        labels = F.pad(labels.narrow(1, 1, n - 1), (0, 1), value=-100)
    return F.cross_entropy(logits.reshape(-1, v), labels.reshape(-1))


def token_loss(logits, labels):
    v = logits.shape[-1]
    return F.cross_entropy(logits.reshape(-1, v), labels.reshape(-1))


def class_loss(config, logits, labels):
    """Of one label an example: numbers, one class, or several classes at once."""
    kind = getattr(config, "problem_type", None)
    n = logits.shape[-1]
    if kind is None:
        if n == 1:
            kind = "regression"
        elif labels.dtype.is_floating_point:
            kind = "multi_label_classification"
        else:
            kind = "single_label_classification"
    if kind == "regression":
        return F.mse_loss(logits.squeeze(), labels.squeeze().to(logits.dtype))
    if kind == "multi_label_classification":
        return F.binary_cross_entropy_with_logits(logits, labels)
    return F.cross_entropy(logits.reshape(-1, n), labels.reshape(-1))


def answer(logits, start_positions, end_positions, return_dict):
    """Where an answer starts and ends: two numbers a token."""
    start, end = logits.split(1, -1)
    start, end = start.squeeze(-1), end.squeeze(-1)
    loss = None
    if start_positions is not None and end_positions is not None:
        n = start.shape[1]
        a = F.cross_entropy(start, start_positions.reshape(-1).clamp(0, n), ignore_index=n)
        b = F.cross_entropy(end, end_positions.reshape(-1).clamp(0, n), ignore_index=n)
        loss = (a + b) / 2
    return made(return_dict, loss=loss, start_logits=start, end_logits=end)


def last_token(x, input_ids, pad):
    """[batch, features] of [batch, tokens, features]: the last token that is no padding."""
    n, t, d = x.shape
    if pad is None or input_ids is None or n == 1:
        return x.select(1, t - 1)
    at = (input_ids != pad).long().sum(1) - 1
    return wrap_take(x, at.clamp(0, t - 1).reshape(n, 1)).reshape(n, d)


def wrap_take(x, rows):
    """Rows of each example: [batch, n, features] by [batch, n] numbers of tokens."""
    from torch._tensor import wrap
    return wrap(_tilewise.op("tw.take", [x._h, rows._h], {"axis": 1, "batch_dims": 1}))
