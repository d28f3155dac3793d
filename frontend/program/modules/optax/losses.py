"""Losses; each says what it is."""

import _tilewise as _t
from jax import _core as _c
from jax import nn as _nn
from jax import _transforms as _tr
from jax._core import as_array, binary, reduce, unary
from jax import numpy as jnp

__all__ = [
    "softmax_cross_entropy", "softmax_cross_entropy_with_integer_labels",
    "safe_softmax_cross_entropy", "sigmoid_binary_cross_entropy", "sigmoid_focal_loss", "l2_loss",
    "squared_error", "huber_loss", "log_cosh", "cosine_similarity", "cosine_distance",
    "hinge_loss", "kl_divergence", "kl_divergence_with_log_targets", "smooth_labels", "ctc_loss",
    "poly_loss_cross_entropy", "convex_kl_divergence", "absolute_error", "triplet_margin_loss",
    "multiclass_hinge_loss", "ntxent", "ctc_loss_with_forward_probs"]


def _said(x, name, from_logits, sparse=False):
    if isinstance(x, _c.Array):
        _tr.LOSSES[0] += 1
        _t.record("loss", value=x._h, name=name, from_logits=from_logits, sparse=sparse)
    return x


def softmax_cross_entropy(logits, labels, axis=-1, where=None):
    logits = as_array(logits)
    p = _nn.log_softmax(logits, axis)
    r = unary("negate", reduce("sum", binary("multiply", labels, p), axis, False, None, where))
    return _said(r, "softmax_cross_entropy", True)


safe_softmax_cross_entropy = softmax_cross_entropy


def softmax_cross_entropy_with_integer_labels(logits, labels, axis=-1, where=None):
    logits = as_array(logits)
    labels = as_array(labels)
    if not _t.is_unknown(logits):
        from jax import _standins
        at = axis % logits.ndim if isinstance(axis, int) else logits.ndim - 1
        shape = logits.shape[:at] + logits.shape[at + 1:]
        labels = _standins.like(labels, shape, _c.int32, logits._b)
    if _t.is_unknown(logits) or _t.is_unknown(labels):
        return _c.unknown_of(logits, labels)
    if _c.RANK[labels.dtype.short] >= 10:
        labels = _c.convert(labels, _c.int32)
    p = _c.softmax(logits, axis, True)
    n = len(p.shape)
    at = axis % n if isinstance(axis, int) else n - 1
    shape = list(p.shape)
    shape[at] = 1
    idx = _c.broadcast_to(_c.expand_dims(labels, at), shape)
    r = unary("negate", _c.squeeze(_c.take_along(p, idx, at), at))
    return _said(r, "softmax_cross_entropy_with_integer_labels", True, True)


def sigmoid_binary_cross_entropy(logits, labels):
    logits = as_array(logits)
    a = binary("multiply", labels, _nn.log_sigmoid(logits))
    b = binary("multiply", binary("subtract", 1.0, labels),
               _nn.log_sigmoid(unary("negate", logits)))
    return _said(unary("negate", binary("add", a, b)), "sigmoid_binary_cross_entropy", True)


def sigmoid_focal_loss(logits, labels, alpha=None, gamma=2.0):
    p = _nn.sigmoid(logits)
    ce = sigmoid_binary_cross_entropy(logits, labels)
    pt = p * labels + (1 - p) * (1 - as_array(labels))
    return _said(ce * (1 - pt) ** gamma, "sigmoid_focal_loss", True)


def poly_loss_cross_entropy(logits, labels, epsilon=2.0, axis=-1, where=None):
    return softmax_cross_entropy(logits, labels, axis)


def squared_error(predictions, targets=None, axis=None, where=None):
    d = as_array(predictions) if targets is None else binary("subtract", predictions, targets)
    r = binary("multiply", d, d)
    return _said(r if axis is None else reduce("sum", r, axis), "squared_error", False)


def l2_loss(predictions, targets=None):
    d = as_array(predictions) if targets is None else binary("subtract", predictions, targets)
    return _said(binary("multiply", binary("multiply", d, d), 0.5), "l2_loss", False)


def absolute_error(predictions, targets=None):
    return _said(unary("abs", binary("subtract", predictions, targets)), "absolute_error", False)


def huber_loss(predictions, targets=None, delta=1.0):
    e = unary("abs", as_array(predictions) if targets is None
              else binary("subtract", predictions, targets))
    q = binary("minimum", e, delta)
    return _said(0.5 * q * q + delta * (e - q), "huber_loss", False)


def log_cosh(predictions, targets=None):
    e = as_array(predictions) if targets is None else binary("subtract", predictions, targets)
    return _said(jnp.logaddexp(e, -e) - 0.6931471805599453, "log_cosh", False)


def cosine_similarity(predictions, targets, epsilon=0.0, axis=-1, where=None):
    a = as_array(predictions)
    b = as_array(targets)
    a = a / (reduce("l2", a, axis, True) + epsilon)
    b = b / (reduce("l2", b, axis, True) + epsilon)
    return reduce("sum", a * b, axis)


def cosine_distance(predictions, targets, epsilon=0.0, axis=-1, where=None):
    return _said(1.0 - cosine_similarity(predictions, targets, epsilon, axis),
                 "cosine_distance", False)


def hinge_loss(predictor_outputs, targets):
    return _said(binary("maximum", 0.0, 1 - as_array(predictor_outputs) * targets), "hinge_loss",
                 False)


def multiclass_hinge_loss(scores, labels):
    return hinge_loss(scores, _nn.one_hot(labels, scores.shape[-1]))


def kl_divergence(log_predictions, targets, axis=-1, where=None):
    t = as_array(targets)
    r = reduce("sum", t * (unary("log", t) - log_predictions), axis)
    return _said(r, "kl_divergence", False)


convex_kl_divergence = kl_divergence


def kl_divergence_with_log_targets(log_predictions, log_targets, axis=-1, where=None):
    t = as_array(log_targets)
    return _said(reduce("sum", unary("exp", t) * (t - log_predictions), axis), "kl_divergence",
                 False)


def smooth_labels(labels, alpha):
    labels = as_array(labels)
    return (1.0 - alpha) * labels + alpha / labels.shape[-1]


def triplet_margin_loss(anchors, positives, negatives, axis=-1, margin=1.0, **kw):
    a = reduce("l2", as_array(anchors) - positives, axis)
    b = reduce("l2", as_array(anchors) - negatives, axis)
    return _said(binary("maximum", a - b + margin, 0.0), "triplet_margin_loss", False)


def ntxent(embeddings, labels, temperature=0.07):
    x = as_array(embeddings)
    s = _c.matmul(x, x.T) / temperature
    return _said(reduce("mean", unary("negate", _nn.log_softmax(s))), "ntxent", True)


def ctc_loss(logits, logit_paddings, labels, label_paddings, blank_id=0, log_epsilon=-1e5):
    p = _nn.log_softmax(logits)
    _t.note("the recurrence of a CTC loss is counted as one pass over its logits")
    return _said(unary("negate", reduce("sum", p, (1, 2))), "ctc_loss", True)


def ctc_loss_with_forward_probs(*args, **kw):
    r = ctc_loss(*args, **kw)
    return r, r, r
