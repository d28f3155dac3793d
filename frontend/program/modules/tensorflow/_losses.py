"""Losses of tf.nn."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._array import ints
from tensorflow._math import cast, reduced
from tensorflow._tensor import (Tensor, binary, convert, handle, number_of, tensor, to_float,
                                unary, wrap)

_op = _tilewise.op
_unk = _tilewise.is_unknown
_shape = _tilewise.shape


def noted(loss, name, sparse=False, from_logits=True):
    if not _unk(loss):
        _tilewise.record("loss", value=loss._h, name=name, from_logits=from_logits, sparse=sparse)
    return loss


def batch_of(y, x):
    """Labels as many as the logits, where how many those are is given later."""
    have, want = list(_shape(y)), list(_shape(x))
    if have and want and have[0] != want[0] and have[0] != 1 and \
            _tilewise.open_shape(x)[0] is None:
        return _tilewise.input([want[0]] + have[1:], _tilewise.dtype(y), "labels", 0)
    return y


def softmax_cross_entropy_with_logits(labels=None, logits=None, axis=-1, name=None, dim=None,
                                      _sentinel=None):
    y, x = handle(labels), handle(logits)
    if _unk(x) or _unk(y):
        return x if _unk(x) else y
    y = batch_of(y, x)
    axis = dim if dim is not None else axis
    n = len(_shape(x))
    if axis % n != n - 1:
        order = [i for i in range(n) if i != axis % n] + [axis % n]
        x = _op("tw.transpose", [x], {"permutation": order})
        y = _op("tw.transpose", [y], {"permutation": order})
    if tuple(_shape(y)) != tuple(_shape(x)):
        y = _op("tw.broadcast_in_dim", [y], {"shape": list(_shape(x)), "dims": list(range(n))})
    loss = convert(_op("tw.cross_entropy", [x, y]), _tilewise.dtype(x))
    return noted(wrap(loss), "categorical_crossentropy")


def softmax_cross_entropy_with_logits_v2(labels=None, logits=None, axis=None, name=None, dim=None,
                                         _sentinel=None):
    return softmax_cross_entropy_with_logits(labels, logits, -1 if axis is None else axis, None,
                                             dim)


def sparse_softmax_cross_entropy_with_logits(labels=None, logits=None, name=None, _sentinel=None):
    y, x = handle(labels), handle(logits)
    if _unk(x) or _unk(y):
        return x if _unk(x) else y
    loss = convert(_op("tw.cross_entropy", [x, batch_of(y, x)]), _tilewise.dtype(x))
    return noted(wrap(loss), "sparse_categorical_crossentropy", True)


def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None, _sentinel=None):
    x = tensor(logits)
    z = cast(labels, x.dtype) if not _unk(x) else x
    far = unary("log1p", unary("exp", -abs(x)))
    return noted(unary("relu", x) - x * z + far, "binary_crossentropy")


def weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=1, name=None,
                                       targets=None):
    z = tensor(targets if labels is None else labels)
    x = tensor(logits)
    weight = 1 + (tensor(pos_weight) - 1) * z
    far = unary("log1p", unary("exp", -abs(x)))
    return noted((1 - z) * x + weight * (far + unary("relu", -x)), "binary_crossentropy")


def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    x = tensor(log_input)
    return noted(unary("exp", x) - x * targets, "poisson")


def l2_loss(t, name=None):
    return reduced("sum", unary("square", t), None, False) * 0.5


def ctc_loss(labels, logits, label_length=None, logit_length=None, logits_time_major=True,
             unique=None, blank_index=None, name=None):
    """Per example; what the alignments cost is left out."""
    _tilewise.note("the alignments of the CTC loss are not counted")
    h = _op("tw.log_softmax", [handle(logits)], {"dim": -1})
    total = _op("tw.reduce", [h], {"kind": "sum", "dims": [0 if logits_time_major else 1, 2]})
    return noted(-wrap(total), "ctc")


def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True, blank_index=None):
    return _tilewise.unknown("decoded texts"), _tilewise.unknown("their probabilities")


ctc_beam_search_decoder = ctc_greedy_decoder


def _candidates(n, classes):
    return wrap(_tilewise.input([n], "s32", "sampled classes", None))


def _sampled(weights, biases, labels, inputs, num_sampled, num_classes):
    """Logits of the true classes and of those that were drawn."""
    from tensorflow._linear import matmul
    from tensorflow._nn import embedding_lookup
    ids = wrap(_op("tw.reshape", [handle(labels)], {"shape": [-1]}))
    true = reduced("sum", embedding_lookup(weights, ids) * inputs, [1], True)
    true = true + wrap(_op("tw.reshape", [embedding_lookup(biases, ids)._h], {"shape": [-1, 1]}))
    drawn = _candidates(num_sampled, num_classes)
    others = matmul(inputs, embedding_lookup(weights, drawn), transpose_b=True)
    others = others + embedding_lookup(biases, drawn)
    return true, others


def sampled_softmax_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1,
                         sampled_values=None, remove_accidental_hits=True, seed=None,
                         name="sampled_softmax_loss", partition_strategy=None):
    true, others = _sampled(weights, biases, labels, inputs, num_sampled, num_classes)
    logits = _op("tw.concatenate", [true._h, others._h], {"dim": 1})
    first = _tilewise.full(0, [_shape(logits)[0]], "s32")
    return noted(wrap(_op("tw.cross_entropy", [logits, first])),
                 "sparse_categorical_crossentropy", True)


def nce_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1,
             sampled_values=None, remove_accidental_hits=False, name="nce_loss",
             partition_strategy=None):
    true, others = _sampled(weights, biases, labels, inputs, num_sampled, num_classes)
    near = unary("softplus", -true)
    far = unary("softplus", others)
    total = reduced("sum", near, [1], False) + reduced("sum", far, [1], False)
    return noted(total, "binary_crossentropy")


def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    loss = tensor(per_example_loss)
    if sample_weight is not None:
        loss = loss * sample_weight
    if global_batch_size is None:
        from tensorflow._public import state
        n = 1 if state.strategy is None else state.strategy.num_replicas_in_sync
        shape = _shape(loss._h)
        global_batch_size = n * (shape[0] if shape else 1)
    return binary("divide", reduced("sum", loss, None, False),
                  cast(tensor(global_batch_size), loss.dtype))


def scale_regularization_loss(regularization_loss):
    from tensorflow._public import state
    n = 1 if state.strategy is None else state.strategy.num_replicas_in_sync
    return tensor(regularization_loss) / float(n)
