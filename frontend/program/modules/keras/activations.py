"""keras.activations."""

import _tilewise
from keras._leaf import (add, binary, compare, div, floating, h_of, mul, op, put, reduce, select,
                         split, sub, unary, wrap, code, dims)
from tensorflow._public import public


def _of(kind):
    def function(x):
        return wrap(op("tw.unary", [floating(h_of(x))], {"kind": kind}))
    return function


def linear(x):
    return x


def relu(x, negative_slope=0.0, max_value=None, threshold=0.0, alpha=None):
    h = h_of(x)
    slope = negative_slope if alpha is None else alpha
    if threshold:
        y = select(compare("GT", h, float(threshold)), h,
                   mul(sub(h, float(threshold)), float(slope)) if slope else 0.0)
        return wrap(y if max_value is None else op("tw.clamp", [y], {"max": float(max_value)}))
    if slope:
        y = op("tw.leaky_relu", [h], {"alpha": float(slope)})
        return wrap(y if max_value is None else op("tw.clamp", [y], {"max": float(max_value)}))
    if max_value is not None:
        return wrap(op("tw.clamp", [h], {"min": 0.0, "max": float(max_value)}))
    return wrap(op("tw.unary", [h], {"kind": "relu"}))


relu6, sigmoid, tanh, silu = _of("relu6"), _of("logistic"), _of("tanh"), _of("silu")
exponential, softplus, softsign, selu = _of("exp"), _of("softplus"), _of("softsign"), _of("selu")
log_sigmoid, mish, hard_sigmoid = _of("log_sigmoid"), _of("mish"), _of("hard_sigmoid")
hard_silu, hard_tanh = _of("hard_swish"), _of("hard_tanh")


def elu(x, alpha=1.0):
    return wrap(op("tw.elu", [h_of(x)], {"alpha": float(alpha)}))


def celu(x, alpha=1.0):
    return wrap(op("tw.celu", [h_of(x)], {"alpha": float(alpha)}))


def leaky_relu(x, negative_slope=0.2, alpha=None):
    slope = negative_slope if alpha is None else alpha
    return wrap(op("tw.leaky_relu", [h_of(x)], {"alpha": float(slope)}))


def gelu(x, approximate=False):
    return wrap(op("tw.unary", [h_of(x)], {"kind": "gelu_tanh" if approximate else "gelu"}))


def softmax(x, axis=-1):
    h = floating(h_of(x))
    if isinstance(axis, (tuple, list)):
        if len(axis) > 1:
            y = unary("exp", sub(h, reduce("max", h, axis, True)))
            return wrap(div(y, reduce("sum", y, axis, True)))
        axis = axis[0]
    return wrap(op("tw.softmax", [h], {"dim": axis}))


def log_softmax(x, axis=-1):
    return wrap(op("tw.log_softmax", [floating(h_of(x))], {"dim": axis}))


def glu(x, axis=-1):
    a, b = split(h_of(x), 2, axis)
    return wrap(mul(a, unary("logistic", b)))


def hard_shrink(x, threshold=0.5):
    h = h_of(x)
    return wrap(select(compare("GT", unary("abs", h), float(threshold)), h, 0.0))


def soft_shrink(x, threshold=0.5):
    h = h_of(x)
    far = op("tw.clamp", [sub(unary("abs", h), float(threshold))], {"min": 0.0})
    return wrap(mul(unary("sign", h), far))


def tanh_shrink(x):
    h = h_of(x)
    return wrap(sub(h, unary("tanh", h)))


def threshold(x, threshold=0.0, default_value=0.0):
    h = h_of(x)
    return wrap(select(compare("GT", h, float(threshold)), h, float(default_value)))


def squareplus(x, b=4):
    h = h_of(x)
    return wrap(mul(add(h, unary("sqrt", binary("add", mul(h, h), float(b)))), 0.5))


def sparse_plus(x):
    h = h_of(x)
    bent = mul(unary("square", binary("add", h, 1.0)), 0.25)
    return wrap(select(compare("LE", h, -1.0), 0.0, select(compare("LT", h, 1.0), bent, h)))


def sparse_sigmoid(x):
    h = binary("add", h_of(x), 1.0)
    return wrap(op("tw.clamp", [mul(h, 0.5)], {"min": 0.0, "max": 1.0}))


def sparsemax(x, axis=-1):
    """Its threshold is found in the sorted logits."""
    h = h_of(x)
    n = len(dims(h))
    z = op("tw.sort", [h], {"dim": axis % n, "descending": True})
    total = op("tw.cumulative", [z], {"kind": "sum", "dim": axis % n})
    places = binary("add", op("tw.iota", [], {"shape": list(dims(h)), "dim": axis % n,
                                              "dtype": code(h)}), 1.0)
    kept = compare("GT", binary("add", mul(z, places), 1.0), total)
    k = reduce("sum", put(kept, code(h)), axis, True)
    best = reduce("max", select(kept, total, 0.0), axis, True)
    tau = div(sub(best, 1.0), k)
    return wrap(op("tw.clamp", [sub(h, tau)], {"min": 0.0}))


for _f in (relu6, sigmoid, tanh, silu, exponential, softplus, softsign, selu, log_sigmoid, mish,
           hard_sigmoid, hard_silu, hard_tanh):
    _f.__doc__ = None
for _name in ("relu", "relu6", "sigmoid", "tanh", "silu", "exponential", "softplus", "softsign",
              "selu", "log_sigmoid", "mish", "hard_sigmoid", "hard_silu", "hard_tanh", "elu",
              "celu", "leaky_relu", "gelu", "softmax", "log_softmax", "glu", "hard_shrink",
              "soft_shrink", "tanh_shrink", "threshold", "squareplus", "sparse_plus",
              "sparse_sigmoid", "sparsemax"):
    _f = globals()[_name]
    _f.__name__ = _name
    globals()[_name] = public(_f)
swish, hard_swish = silu, hard_silu
_NAMES = {}


def _table():
    if not _NAMES:
        everything = globals()
        for name in ("relu", "relu6", "sigmoid", "tanh", "silu", "swish", "exponential",
                     "softplus", "softsign", "selu", "log_sigmoid", "mish", "hard_sigmoid",
                     "hard_silu", "hard_swish", "hard_tanh", "elu", "celu", "leaky_relu", "gelu",
                     "softmax", "log_softmax", "glu", "hard_shrink", "soft_shrink",
                     "tanh_shrink", "threshold", "squareplus", "sparse_plus", "sparse_sigmoid",
                     "sparsemax", "linear"):
            _NAMES[name] = everything[name]
        _NAMES["exp"] = exponential
        _NAMES["leakyrelu"] = leaky_relu
    return _NAMES


def get(identifier):
    if _tilewise.is_unknown(identifier):
        return identifier
    if identifier is None:
        return linear
    if isinstance(identifier, str):
        found = _table().get(identifier)
        if found is None:
            from keras.saving import get_custom_objects
            found = get_custom_objects().get(identifier)
        if found is None:
            found = _table().get(identifier.lower())
        if found is None:
            raise ValueError("Could not interpret activation function identifier: "
                             + str(identifier))
        return found
    if isinstance(identifier, dict):
        return get(identifier.get("class_name", identifier.get("config")))
    return identifier


def serialize(activation):
    return getattr(activation, "__name__", "linear")


def deserialize(config, custom_objects=None):
    if custom_objects and isinstance(config, str) and config in custom_objects:
        return custom_objects[config]
    return get(config)
