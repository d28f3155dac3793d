"""Losses of each example."""

import _tilewise as _t
from keras._leaf import (FLOATS, add, binary, code, compare, dims, div, h_of, mul, op, put, reduce,
                         reshape, select, sub, unary, wrap)
from tensorflow import _tensor as _x
from tensorflow._public import public

Tensor = _x.Tensor
_unk = _t.is_unknown
EPSILON = 1e-7
recorded = [0]


def record(name, h, from_logits=False, sparse=False):
    if _unk(h):
        return h
    recorded[0] += 1
    _t.record("loss", value=h, name=name, from_logits=bool(from_logits), sparse=sparse)
    return wrap(h)


def prediction(y_pred):
    h = _x.handle(y_pred)
    return h if code(h) in FLOATS else put(h, "f32")


def _fits(have, want):
    """Whether one shape broadcasts with another."""
    for a, b in zip(reversed(have), reversed(want)):
        if a != b and a != 1 and b != 1:
            return False
    return True


def _stand_in(y_true, want, code):
    if _unk(y_true):
        _t.note("the labels are not known, labels that fit the output are taken: " +
                _t.reason(y_true))
    return _t.input(want, code, "y", 0 if want else None)


def labels(y_true, p):
    """Labels of the shape and type of the prediction."""
    if _unk(p):
        return p
    want = list(dims(p))
    if _unk(y_true) or y_true is None:
        return _stand_in(y_true, want, code(p))
    t = _x.handle(y_true)
    have = list(dims(t))
    if len(have) == len(want) - 1 and want[-1] == 1:
        t = reshape(t, have + [1])
    elif len(have) == len(want) + 1 and have[-1] == 1:
        t = reshape(t, have[:-1])
    if not _fits(list(dims(t)), want):
        _t.note("labels of shape " + str(have) + " do not fit the output " + str(want) +
                "; labels of its shape are taken")
        return _t.input(want, code(p), "y", 0)
    return put(t, code(p))


def class_ids(y_true, p):
    """Numbers of classes: a rank less than the prediction's."""
    if _unk(p):
        return p
    want = list(dims(p))[:-1]
    if _unk(y_true) or y_true is None:
        return _stand_in(y_true, want, "s32")
    t = _x.handle(y_true)
    have = list(dims(t))
    if len(have) == len(want) + 1 and have[-1] == 1:
        t = reshape(t, have[:-1])
    if list(dims(t)) != want:
        _t.note("labels of shape " + str(have) + " do not fit the output " + str(list(dims(p))) +
                "; labels of its shape are taken")
        return _t.input(want, "s32", "y", 0)
    return put(t, "s32")


def both(y_true, y_pred):
    p = prediction(y_pred)
    return labels(y_true, p), p


def last(kind, h, axis=-1):
    return reduce(kind, h, axis) if len(dims(h)) else h


def smoothed(t, by, classes):
    if not by or _unk(by):
        return t
    return add(mul(t, 1.0 - by), h_of(by / classes, code(t)))


def clipped(p):
    return op("tw.clamp", [p], {"min": EPSILON, "max": 1.0 - EPSILON})


def mean_squared_error(y_true, y_pred):
    t, p = both(y_true, y_pred)
    return record("mse", last("mean", unary("square", sub(p, t))))


def mean_absolute_error(y_true, y_pred):
    t, p = both(y_true, y_pred)
    return record("mae", last("mean", unary("abs", sub(p, t))))


def mean_absolute_percentage_error(y_true, y_pred):
    t, p = both(y_true, y_pred)
    d = div(sub(t, p), binary("maximum", unary("abs", t), EPSILON))
    return record("mape", mul(last("mean", unary("abs", d)), 100.0))


def mean_squared_logarithmic_error(y_true, y_pred):
    t, p = both(y_true, y_pred)
    a = unary("log1p", binary("maximum", p, EPSILON))
    b = unary("log1p", binary("maximum", t, EPSILON))
    return record("msle", last("mean", unary("square", sub(a, b))))


def categorical_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0.0, axis=-1):
    p = prediction(y_pred)
    t = smoothed(labels(y_true, p), label_smoothing, dims(p)[axis])
    logits = p if from_logits else unary("log", clipped(p))
    return record("categorical_crossentropy", op("tw.cross_entropy", [logits, t]), from_logits)


def sparse_categorical_crossentropy(y_true, y_pred, from_logits=False, ignore_class=None, axis=-1):
    p = prediction(y_pred)
    t = class_ids(y_true, p)
    logits = p if from_logits else unary("log", clipped(p))
    h = op("tw.cross_entropy", [logits, t])
    if ignore_class is not None:
        h = select(compare("NE", t, ignore_class), h, 0.0)
    return record("sparse_categorical_crossentropy", h, from_logits, True)


def _binary(t, p, from_logits):
    """The cross entropy of each number."""
    if from_logits:
        return add(sub(binary("maximum", p, 0.0), mul(p, t)),
                   unary("log1p", unary("exp", unary("negate", unary("abs", p)))))
    p = clipped(p)
    one = h_of(1.0, code(p))
    return unary("negate", add(mul(t, unary("log", p)),
                               mul(sub(one, t), unary("log", sub(one, p)))))


def binary_crossentropy(y_true, y_pred, from_logits=False, label_smoothing=0.0, axis=-1):
    t, p = both(y_true, y_pred)
    t = smoothed(t, label_smoothing, 2)
    return record("binary_crossentropy", last("mean", _binary(t, p, from_logits), axis),
                  from_logits)


def binary_focal_crossentropy(y_true, y_pred, apply_class_balancing=False, alpha=0.25, gamma=2.0,
                              from_logits=False, label_smoothing=0.0, axis=-1):
    t, p = both(y_true, y_pred)
    t = smoothed(t, label_smoothing, 2)
    if from_logits:
        p = unary("logistic", p)
    one = h_of(1.0, code(p))
    right = add(mul(t, p), mul(sub(one, t), sub(one, p)))
    h = mul(binary("power", sub(one, right), gamma), _binary(t, p, False))
    if apply_class_balancing:
        h = mul(h, add(mul(t, alpha), mul(sub(one, t), 1.0 - alpha)))
    return record("binary_focal_crossentropy", last("mean", h, axis), from_logits)


def categorical_focal_crossentropy(y_true, y_pred, alpha=0.25, gamma=2.0, from_logits=False,
                                   label_smoothing=0.0, axis=-1):
    p = prediction(y_pred)
    t = smoothed(labels(y_true, p), label_smoothing, dims(p)[axis])
    p = clipped(op("tw.softmax", [p], {"dim": axis}) if from_logits else p)
    one = h_of(1.0, code(p))
    h = mul(mul(binary("power", sub(one, p), gamma), mul(t, unary("log", p))), -1.0)
    if isinstance(alpha, (int, float)):
        h = mul(h, alpha)
    return record("categorical_focal_crossentropy", last("sum", h, axis), from_logits)


def hinge(y_true, y_pred):
    t, p = both(y_true, y_pred)
    return record("hinge", last("mean", binary("maximum", sub(h_of(1.0, code(p)), mul(t, p)),
                                               0.0)))


def squared_hinge(y_true, y_pred):
    t, p = both(y_true, y_pred)
    h = binary("maximum", sub(h_of(1.0, code(p)), mul(t, p)), 0.0)
    return record("squared_hinge", last("mean", unary("square", h)))


def categorical_hinge(y_true, y_pred):
    t, p = both(y_true, y_pred)
    right = last("sum", mul(t, p))
    wrong = last("max", mul(sub(h_of(1.0, code(p)), t), p))
    return record("categorical_hinge", binary("maximum", add(sub(wrong, right),
                                                             h_of(1.0, code(p))), 0.0))


def huber(y_true, y_pred, delta=1.0):
    t, p = both(y_true, y_pred)
    e = unary("abs", sub(p, t))
    h = select(compare("LE", e, float(delta)), mul(unary("square", e), 0.5),
               mul(sub(e, h_of(0.5 * delta, code(e))), float(delta)))
    return record("huber", last("mean", h))


def log_cosh(y_true, y_pred):
    t, p = both(y_true, y_pred)
    d = sub(p, t)
    h = add(d, unary("softplus", mul(d, -2.0)))
    return record("log_cosh", last("mean", sub(h, h_of(0.6931471805599453, code(h)))))


def kl_divergence(y_true, y_pred):
    t, p = both(y_true, y_pred)
    t, p = clipped(t), clipped(p)
    return record("kl_divergence", last("sum", mul(t, unary("log", div(t, p)))))


def poisson(y_true, y_pred):
    t, p = both(y_true, y_pred)
    log = unary("log", add(p, h_of(EPSILON, code(p))))
    return record("poisson", last("mean", sub(p, mul(t, log))))


def cosine_similarity(y_true, y_pred, axis=-1):
    t, p = both(y_true, y_pred)
    t = op("tw.unit_length", [t], {"dim": axis})
    p = op("tw.unit_length", [p], {"dim": axis})
    return record("cosine_similarity", unary("negate", last("sum", mul(t, p), axis)))


def dice(y_true, y_pred, axis=None):
    t, p = both(y_true, y_pred)
    top = mul(reduce("sum", mul(t, p), axis), 2.0)
    low = add(reduce("sum", t, axis), reduce("sum", p, axis))
    return record("dice", sub(h_of(1.0, code(p)), div(top, add(low, h_of(EPSILON, code(p))))))


def tversky(y_true, y_pred, alpha=0.5, beta=0.5, axis=None):
    t, p = both(y_true, y_pred)
    both_ = reduce("sum", mul(t, p), axis)
    one = h_of(1.0, code(p))
    false = mul(reduce("sum", mul(sub(one, t), p), axis), alpha)
    missed = mul(reduce("sum", mul(t, sub(one, p)), axis), beta)
    low = add(add(both_, false), add(missed, h_of(EPSILON, code(p))))
    return record("tversky", sub(one, div(both_, low)))


def ctc(y_true, y_pred):
    return ctc_of(y_pred)


def ctc_of(y_pred):
    """The recursion over time is small beside the logits: these are normalized and summed."""
    p = prediction(y_pred)
    _t.note("the recursion of a CTC loss is not counted, only the normalizing of its logits")
    h = unary("negate", reduce("max", op("tw.log_softmax", [p], {"dim": -1}), -1))
    return record("ctc", reduce("mean", h, list(range(1, len(dims(h))))))


def circle(y_true, y_pred, ref_labels=None, ref_embeddings=None, remove_diagonal=True, gamma=80,
           margin=0.4):
    p = prediction(y_pred)
    scores = op("tw.matmul", [p, op("tw.transpose", [p], {"permutation": [1, 0]})])
    return record("circle", reduce("logsumexp", mul(scores, float(gamma)), -1))


FUNCTIONS = {f.__name__: f for f in (
    mean_squared_error, mean_absolute_error, mean_absolute_percentage_error,
    mean_squared_logarithmic_error, categorical_crossentropy, sparse_categorical_crossentropy,
    binary_crossentropy, binary_focal_crossentropy, categorical_focal_crossentropy, hinge,
    squared_hinge, categorical_hinge, huber, log_cosh, kl_divergence, poisson, cosine_similarity,
    dice, tversky, ctc, circle)}
for _name in FUNCTIONS:
    FUNCTIONS[_name] = public(FUNCTIONS[_name])
