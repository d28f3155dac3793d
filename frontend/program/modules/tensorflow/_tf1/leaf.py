"""Ops on handles that layers of TensorFlow 1 share."""

import _tilewise as _t
from tensorflow import _nn

op = _t.op
dims = _t.shape
code = _t.dtype
FLOATS = ("f32", "bf16", "f16", "f64")


def many(value, n):
    """One number for each of `n` dims."""
    if isinstance(value, (int, float)):
        return [int(value)] * n
    value = [int(v) for v in value]
    return value * n if len(value) == 1 else value


def first(data_format):
    """Whether channels are dim 1."""
    return data_format is not None and str(data_format).upper() in ("CHANNELS_FIRST", "NCHW",
                                                                    "NCW", "NCDHW", "NCL")


def same_type(x, w):
    """The weight in the type of the data."""
    return w if code(w) == code(x) else op("tw.convert", [w], {"dtype": code(x)})


def conv(x, kernel, strides, padding, dilation=1, channels_first=False, groups=1):
    return _nn.conv(x, same_type(x, kernel), strides, padding.upper(), dilation, channels_first,
                    groups)


def depthwise(x, kernel, strides, padding, dilation=1, channels_first=False):
    """A kernel [.., in, multiplier]."""
    return _nn.depthwise(x, same_type(x, kernel), strides, padding.upper(), dilation,
                         channels_first)


def conv_transpose(x, kernel, strides, padding, channels_first=False, sizes=None):
    """A kernel [.., out, in]; `sizes` are those of the result's spatial dims."""
    n = len(dims(kernel)) - 2
    if sizes is None:
        have = dims(x)[2:] if channels_first else dims(x)[1:-1]
        wider = [0] * n if padding.upper() == "SAME" else \
            [max(k - s, 0) for k, s in zip(dims(kernel), many(strides, n))]
        sizes = [d * s + w for d, s, w in zip(have, many(strides, n), wider)]
    return _nn.transposed(x, same_type(x, kernel), sizes, strides, padding.upper(), None,
                          channels_first)


def bias(x, b, channels_first=False):
    rank = len(dims(x))
    if channels_first and rank > 2:
        b = op("tw.reshape", [b], {"shape": [dims(b)[0]] + [1] * (rank - 2)})
    return op("tw.binary", [x, same_type(x, b)], {"kind": "add"})


def pool(kind, x, size, strides, padding, channels_first=False):
    return _nn.pool_of(kind, x, size, strides, padding.upper(), channels_first)


def dense(x, kernel):
    return op("tw.dot_general", [x, same_type(x, kernel)], {
        "lhs_contract": [len(dims(x)) - 1], "rhs_contract": [0], "lhs_batch": [],
        "rhs_batch": []})


def batch_norm(x, scale, offset, mean, variance, axis, epsilon, training, momentum):
    return op("tw.batch_norm", [x, scale, offset, mean, variance], {
        "feature_dim": axis, "epsilon": float(epsilon), "training": bool(training),
        "momentum": float(momentum)})


def dropout(x, rate, shared=()):
    if not rate > 0:
        return x
    return op("tw.dropout", [x], {"rate": min(float(rate), 0.999), "shared": list(shared)})


def flatten(x):
    sizes = dims(x)
    n = 1
    for d in sizes[1:]:
        n *= d
    return op("tw.reshape", [x], {"shape": [sizes[0], n]})


def reduce(kind, x, axes=None, keep=False):
    axes = list(range(len(dims(x)))) if axes is None else axes
    return op("tw.reduce", [x], {"kind": kind, "dims": axes, "keep": keep})


def binary(kind, a, b):
    return op("tw.binary", [a, b], {"kind": kind})


def scaled(x, number):
    return op("tw.binary", [x, _t.known(float(number), code(x))], {"kind": "multiply"})


def convert(x, to):
    return x if code(x) == to else op("tw.convert", [x], {"dtype": to})
