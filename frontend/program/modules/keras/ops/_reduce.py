"""Sums and the like, orders and products, as numpy names them."""

import _tilewise as _t
from keras import _leaf as _l
from keras._leaf import (code, code_of, compare, dims, floating, h_of, op, pair, put, reduce,
                         reshape, unary, wrap)


def _of(kind, float_only=False, narrow=False):
    def function(x, axis=None, keepdims=False, dtype=None, initial=None, **kw):
        h = h_of(x)
        if dtype is not None:
            h = put(h, code_of(dtype))
        elif float_only:
            h = floating(h)
        elif narrow and code(h) == "pred":
            h = put(h, "s32")
        return wrap(reduce(kind, h, axis, keepdims))
    return function


sum, prod = _of("sum", narrow=True), _of("product", narrow=True)
max, min = _of("max"), _of("min")
amax, amin = max, min
mean, var, std = _of("mean", True), _of("variance", True), _of("std", True)
logsumexp = _of("logsumexp", True)
nansum, nanmean, nanmax, nanmin, nanprod = sum, mean, max, min, prod
nanstd, nanvar = std, var


def all(x, axis=None, keepdims=False):
    return wrap(reduce("all", put(h_of(x), "pred"), axis, keepdims))


def any(x, axis=None, keepdims=False):
    return wrap(reduce("any", put(h_of(x), "pred"), axis, keepdims))


def count_nonzero(x, axis=None):
    return wrap(reduce("sum", put(compare("NE", h_of(x), 0), "s32"), axis))


def average(x, axis=None, weights=None):
    h = floating(h_of(x))
    if weights is None:
        return wrap(reduce("mean", h, axis))
    w = put(h_of(weights), code(h))
    if len(dims(w)) < len(dims(h)):
        w = _l.broadcast(_l.along(w, axis % len(dims(h)), len(dims(h))), dims(h))
    return wrap(_l.div(reduce("sum", _l.mul(h, w), axis), reduce("sum", w, axis)))


def ptp(x, axis=None, keepdims=False):
    h = h_of(x)
    return wrap(_l.sub(reduce("max", h, axis, keepdims), reduce("min", h, axis, keepdims)))


def _flat(h, axis):
    return (reshape(h, (_l.product(dims(h)),)), 0) if axis is None else (h, axis)


def _of_place(kind):
    def function(x, axis=None, keepdims=False):
        h, axis = _flat(h_of(x), axis)
        return wrap(op("tw.arg_reduce", [h], {"kind": kind, "dim": axis,
                                              "keep": bool(keepdims)}))
    return function


argmax, argmin = _of_place("max"), _of_place("min")
nanargmax, nanargmin = argmax, argmin


def _of_running(kind):
    def function(x, axis=None, dtype=None):
        h, axis = _flat(h_of(x), axis)
        if dtype is not None:
            h = put(h, code_of(dtype))
        return wrap(op("tw.cumulative", [h], {"kind": kind, "dim": axis % len(dims(h))}))
    return function


cumsum, cumprod = _of_running("sum"), _of_running("product")
nancumsum, nancumprod = cumsum, cumprod


def sort(x, axis=-1):
    h, axis = _flat(h_of(x), axis)
    return wrap(op("tw.sort", [h], {"dim": axis % len(dims(h))}))


def argsort(x, axis=-1):
    h, axis = _flat(h_of(x), axis)
    return wrap(op("tw.arg_sort", [h], {"dim": axis % len(dims(h))}))


def partition(x, kth=None, axis=-1):
    return sort(x, axis)


def argpartition(x, kth=None, axis=-1):
    return argsort(x, axis)


def top_k(x, k, sorted=True):
    values, places = op("tw.top_k", [h_of(x)], {"k": int(k)}, outputs=2)
    return wrap(values), wrap(places)


def in_top_k(targets, predictions, k):
    p = h_of(predictions)
    own = op("tw.take_along", [p, _l.expand(put(h_of(targets), "s32"), -1)], {"axis": -1})
    higher = reduce("sum", put(compare("GT", p, own), "s32"), -1)
    return wrap(compare("LT", higher, int(k)))


def quantile(x, q, axis=None, method="linear", keepdims=False):
    h = floating(h_of(x))
    if isinstance(axis, (tuple, list)):
        axis = None if len(axis) == len(dims(h)) else axis[0]
    h, axis = _flat(h, axis)
    ordered = op("tw.sort", [h], {"dim": axis % len(dims(h))})
    number = q if isinstance(q, (int, float)) else 0.5
    y = _l.at(ordered, axis % len(dims(h)), int((dims(h)[axis] - 1) * number))
    return wrap(_l.expand(y, axis) if keepdims else y)


def median(x, axis=None, keepdims=False):
    return quantile(x, 0.5, axis, keepdims=keepdims)


def percentile(x, q, axis=None, method="linear", keepdims=False):
    return quantile(x, q / 100 if isinstance(q, (int, float)) else q, axis, method, keepdims)


nanmedian, nanquantile, nanpercentile = median, quantile, percentile


# ---- products


def matmul(x1, x2):
    a, b = h_of(x1), h_of(x2)
    return wrap(op("tw.matmul", [a, b]))


def dot(x1, x2):
    a, b = pair(x1, x2)
    m, n = len(dims(a)), len(dims(b))
    if m == 0 or n == 0:
        return wrap(_l.mul(a, b))
    return wrap(_l.dot(a, b, [m - 1], [n - 2 if n > 1 else 0]))


def vdot(x1, x2):
    a, b = h_of(x1), h_of(x2)
    n = _l.product(dims(a))
    return wrap(_l.dot(reshape(a, (n,)), reshape(b, (n,)), [0], [0]))


def inner(x1, x2):
    a, b = h_of(x1), h_of(x2)
    if not dims(a) or not dims(b):
        return wrap(_l.mul(a, b))
    return wrap(_l.dot(a, b, [len(dims(a)) - 1], [len(dims(b)) - 1]))


def outer(x1, x2):
    a, b = h_of(x1), h_of(x2)
    return wrap(_l.mul(reshape(a, (_l.product(dims(a)), 1)), reshape(b, (1, _l.product(dims(b))))))


def tensordot(x1, x2, axes=2):
    a, b = h_of(x1), h_of(x2)
    m = len(dims(a))
    if isinstance(axes, int):
        left, right = list(range(m - axes, m)), list(range(axes))
    else:
        left, right = [[v] if isinstance(v, int) else list(v) for v in axes]
    n = len(dims(b))
    return wrap(_l.dot(a, b, [i % m for i in left], [i % n for i in right]))


def einsum(subscripts, *operands, **kwargs):
    return wrap(_l.einsum(subscripts, *[h_of(x) for x in operands]))


def cross(x1, x2, axisa=-1, axisb=-1, axisc=-1, axis=None):
    a, b = pair(x1, x2)

    def turned(h, by):
        return _l.concat([_l.cut(h, -1, by, 3), _l.cut(h, -1, 0, by)], -1)
    return wrap(_l.sub(_l.mul(turned(a, 1), turned(b, 2)), _l.mul(turned(a, 2), turned(b, 1))))


def kron(x1, x2):
    a, b = pair(x1, x2)
    y = _l.mul(reshape(a, [n for d in dims(a) for n in (d, 1)]),
               reshape(b, [n for d in dims(b) for n in (1, d)]))
    return wrap(reshape(y, [m * n for m, n in zip(dims(a), dims(b))]))


def trace(x, offset=0, axis1=0, axis2=1):
    from keras.ops._arrange import diagonal
    return wrap(reduce("sum", diagonal(x, offset, axis1, axis2)._h, -1))


def norm(x, ord=None, axis=None, keepdims=False):
    h = floating(h_of(x))
    if ord in (None, 2, "fro", "euclidean"):
        return wrap(reduce("l2", h, axis, keepdims))
    size = unary("abs", h)
    if ord == 1:
        return wrap(reduce("sum", size, axis, keepdims))
    if ord in (float("inf"), "inf"):
        return wrap(reduce("max", size, axis, keepdims))
    if not isinstance(ord, (int, float)):
        return wrap(reduce("l2", h, axis, keepdims))
    total = reduce("sum", _l.binary("power", size, float(ord)), axis, keepdims)
    return wrap(_l.binary("power", total, 1.0 / ord))


def corrcoef(x):
    h = floating(h_of(x))
    h = _l.sub(h, reduce("mean", h, -1, True))
    h = op("tw.unit_length", [h], {"dim": -1})
    return wrap(_l.dot(h, h, [1], [1]))


def correlate(x1, x2, mode="valid"):
    a, b = pair(x1, x2)
    n, k = dims(a)[0], dims(b)[0]
    low = {"valid": 0, "same": k // 2, "full": k - 1}[mode]
    high = {"valid": 0, "same": (k - 1) // 2, "full": k - 1}[mode]
    y = op("tw.conv", [reshape(a, (1, n, 1)), reshape(b, (k, 1, 1))],
           {"low": [low], "high": [high]})
    return wrap(reshape(y, (dims(y)[1],)))


def trapezoid(y, x=None, dx=1.0, axis=-1):
    h = floating(h_of(y))
    n = dims(h)[axis]
    s = _l.add(_l.cut(h, axis, 1, n), _l.cut(h, axis, 0, n - 1))
    return wrap(reduce("sum", _l.mul(s, dx / 2), axis))


def bincount(x, weights=None, minlength=0, sparse=False):
    h = put(h_of(x), "s32")
    if not minlength:
        _t.note("how many bins bincount has is not known; 1 is taken")
    n = minlength or 1
    hot = op("tw.one_hot", [h], {"depth": n, "axis": -1, "dtype": "s32"
                                 if weights is None else "f32"})
    if weights is not None:
        hot = _l.mul(hot, _l.expand(h_of(weights), -1))
    return wrap(reduce("sum", hot, len(dims(hot)) - 2))


def digitize(x, bins):
    h, b = h_of(x), h_of(bins)
    passed = compare("GE", _l.expand(floating(h), -1), floating(b))
    return wrap(reduce("sum", put(passed, "s32"), -1))


def searchsorted(sorted_sequence, values, side="left"):
    return digitize(values, sorted_sequence)


def histogram(x, bins=10, range=None):
    n = bins if isinstance(bins, int) else len(bins) - 1
    h = floating(h_of(x))
    edges = _t.full(0, [n + 1], "f32")
    places = put(_l.binary("floor_modulo", h, float(n)), "s32")
    hot = op("tw.one_hot", [reshape(places, (_l.product(dims(h)),))], {"depth": n, "axis": -1,
                                                                       "dtype": "s32"})
    return wrap(reduce("sum", hot, 0)), wrap(edges)


def isin(x1, x2, assume_unique=False, invert=False):
    a, b = h_of(x1), h_of(x2)
    same = compare("EQ", _l.expand(a, -1), reshape(put(b, code(a)), (_l.product(dims(b)),)))
    y = reduce("any", same, -1)
    return wrap(unary("logical_not", y) if invert else y)


def diff(a, n=1, axis=-1):
    h = h_of(a)
    for _ in [0] * n:
        size = dims(h)[axis]
        h = _l.sub(_l.cut(h, axis, 1, size), _l.cut(h, axis, 0, size - 1))
    return wrap(h)
