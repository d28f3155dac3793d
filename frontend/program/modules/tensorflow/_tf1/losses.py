"""tf.losses of TensorFlow 1: scalars, which also go to the collection of losses."""

import _tilewise as _t
from tensorflow._tensor import Tensor, handle, wrap
from tensorflow._tf1 import graph as _g
from tensorflow._tf1 import leaf as L
from tensorflow._tf1 import nn


class Reduction:
    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"


def _like(x, other):
    return L.convert(handle(x), L.code(other))


def compute_weighted_loss(losses, weights=1.0, scope=None, loss_collection="losses",
                          reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    h = handle(losses)
    if _t.is_unknown(h):
        # The sum of the losses is not known for this reason.
        add_loss(h, loss_collection)
        return h
    if isinstance(weights, Tensor) or not isinstance(weights, (int, float)):
        w = handle(weights)
        if _t.is_unknown(w):
            return w
        w = L.convert(w, L.code(h))
        if len(L.dims(w)) < len(L.dims(h)) and len(L.dims(w)) > 0:
            w = L.op("tw.reshape", [w], {"shape": list(L.dims(w)) + [1] * (
                len(L.dims(h)) - len(L.dims(w)))})
        elif len(L.dims(w)) > len(L.dims(h)):
            w = L.op("tw.reshape", [w], {"shape": list(L.dims(h))})
        h = L.binary("multiply", h, w)
    elif weights != 1:
        h = L.scaled(h, weights)
    if reduction != Reduction.NONE:
        h = L.reduce("sum" if reduction == Reduction.SUM else "mean", h)
    loss = wrap(h)
    if loss_collection:
        _g.add_to_collection(loss_collection, loss)
    return loss


def softmax_cross_entropy(onehot_labels, logits, weights=1.0, label_smoothing=0, scope=None,
                          loss_collection="losses", reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    x = handle(logits)
    if _t.is_unknown(x):
        return compute_weighted_loss(x, 1.0, scope, loss_collection)
    y = handle(onehot_labels)
    if not _t.is_unknown(y):
        y = L.convert(y, L.code(x))
        if isinstance(label_smoothing, (int, float)) and label_smoothing > 0:
            classes = L.dims(y)[-1]
            y = L.binary("add", L.scaled(y, 1.0 - label_smoothing),
                         _t.known(label_smoothing / classes, L.code(y)))
    each = nn.softmax_cross_entropy_with_logits(labels=wrap(y), logits=logits)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(labels, logits, weights=1.0, scope=None,
                                 loss_collection="losses",
                                 reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    y, x = handle(labels), handle(logits)
    if _t.is_unknown(x) or _t.is_unknown(y):
        return compute_weighted_loss(x if _t.is_unknown(x) else y, 1.0, scope, loss_collection)
    if len(L.dims(y)) == len(L.dims(x)):
        y = L.op("tw.reshape", [y], {"shape": list(L.dims(x))[:-1]})
    each = nn.sparse_softmax_cross_entropy_with_logits(labels=wrap(y), logits=logits)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def sigmoid_cross_entropy(multi_class_labels, logits, weights=1.0, label_smoothing=0, scope=None,
                          loss_collection="losses", reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    each = nn.sigmoid_cross_entropy_with_logits(labels=multi_class_labels, logits=logits)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def _difference(labels, predictions):
    x, y = handle(predictions), handle(labels)
    if _t.is_unknown(x) or _t.is_unknown(y):
        return x if _t.is_unknown(x) else y
    return L.binary("subtract", x, L.convert(y, L.code(x)))


def _unary(kind, h):
    return h if _t.is_unknown(h) else L.op("tw.unary", [h], {"kind": kind})


def mean_squared_error(labels, predictions, weights=1.0, scope=None, loss_collection="losses",
                       reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    h = _unary("square", _difference(labels, predictions))
    nn.record_loss(h, "mse")
    return compute_weighted_loss(wrap(h), weights, scope, loss_collection, reduction)


def absolute_difference(labels, predictions, weights=1.0, scope=None, loss_collection="losses",
                        reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    h = _unary("abs", _difference(labels, predictions))
    nn.record_loss(h, "mae")
    return compute_weighted_loss(wrap(h), weights, scope, loss_collection, reduction)


def huber_loss(labels, predictions, weights=1.0, delta=1.0, scope=None, loss_collection="losses",
               reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    error = _unary("abs", _difference(labels, predictions))
    if _t.is_unknown(error):
        return error
    near = L.op("tw.clamp", [error], {"max": float(delta)})
    far = L.binary("subtract", error, near)
    h = L.binary("add", L.scaled(_unary("square", near), 0.5), L.scaled(far, delta))
    nn.record_loss(h, "huber")
    return compute_weighted_loss(wrap(h), weights, scope, loss_collection, reduction)


def log_loss(labels, predictions, weights=1.0, epsilon=1e-7, scope=None,
             loss_collection="losses", reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    x, y = handle(predictions), handle(labels)
    if _t.is_unknown(x) or _t.is_unknown(y):
        return x if _t.is_unknown(x) else y
    p, q = wrap(x), wrap(L.convert(y, L.code(x)))
    log = lambda t: wrap(_unary("log", t._h))
    each = -q * log(p + epsilon) - (1 - q) * log(1 - p + epsilon)
    nn.record_loss(each._h, "binary_crossentropy")
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def hinge_loss(labels, logits, weights=1.0, scope=None, loss_collection="losses",
               reduction=Reduction.SUM_BY_NONZERO_WEIGHTS):
    x, y = handle(logits), handle(labels)
    signs = wrap(L.convert(y, L.code(x))) * 2 - 1
    h = _unary("relu", (1 - signs * wrap(x))._h)
    nn.record_loss(h, "hinge")
    return compute_weighted_loss(wrap(h), weights, scope, loss_collection, reduction)


def cosine_distance(labels, predictions, axis=None, weights=1.0, scope=None,
                    loss_collection="losses", reduction=Reduction.SUM_BY_NONZERO_WEIGHTS,
                    dim=None):
    product = wrap(handle(labels)) * wrap(handle(predictions))
    at = axis if dim is None else dim
    each = 1 - wrap(L.reduce("sum", product._h, [at % len(L.dims(product._h))], True))
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def add_loss(loss, loss_collection="losses"):
    if loss_collection:
        _g.add_to_collection(loss_collection, loss)


def get_losses(scope=None, loss_collection="losses"):
    return _g.get_collection(loss_collection, scope)


def get_regularization_losses(scope=None):
    return _g.get_collection("regularization_losses", scope)


def _sum(values):
    total = values[0]
    for v in values[1:]:
        total = total + v
    return total


def get_regularization_loss(scope=None, name="total_regularization_loss"):
    values = get_regularization_losses(scope)
    return _sum(values) if values else wrap(_t.known(0.0, "f32"))


def get_total_loss(add_regularization_losses=True, name="total_loss", scope=None):
    values = list(get_losses(scope))
    if add_regularization_losses:
        values += get_regularization_losses(scope)
    if not values:
        raise ValueError("No losses were added")
    return _sum(values)


def __getattr__(name):
    """What TensorFlow 2 has at this place."""
    if name[:1] == "_":
        raise AttributeError(name)
    from keras import losses
    return getattr(losses, name)
