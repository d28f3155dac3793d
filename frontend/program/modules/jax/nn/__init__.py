"""jax.nn on symbols."""

import math

import _tilewise as _t
from jax import _core as _c
from jax._core import as_array, binary, compare, reduce, unary, unary_float
from jax.nn import initializers


def relu(x):
    return unary("relu", x)


def relu6(x):
    return _c.clip(as_array(x), 0, 6)


def sigmoid(x):
    return unary_float("logistic", x)


def silu(x):
    return unary_float("silu", x)


swish = silu


def gelu(x, approximate=True):
    return unary_float("gelu_tanh" if approximate else "gelu", x)


def softplus(x):
    return unary_float("softplus", x)


def sparse_plus(x):
    return unary_float("softplus", x)


def soft_sign(x):
    return binary("divide", x, binary("add", unary("abs", x), 1))


def log_sigmoid(x):
    _c.hint("sigmoid_cross_entropy")
    return unary("negate", unary_float("softplus", unary("negate", x)))


def elu(x, alpha=1.0):
    if alpha == 1.0:
        return unary_float("elu", x)
    return _c.select(compare("GT", x, 0), x,
                     binary("multiply", unary("exponential-minus-one", x), alpha))


def selu(x):
    return unary_float("selu", x)


def celu(x, alpha=1.0):
    return elu(x)


def leaky_relu(x, negative_slope=0.01):
    return _c.select(compare("GE", x, 0), x, binary("multiply", x, negative_slope))


def hard_tanh(x):
    return _c.clip(as_array(x), -1, 1)


def hard_sigmoid(x):
    return binary("divide", relu6(binary("add", x, 3.0)), 6.0)


def hard_silu(x):
    return binary("multiply", x, hard_sigmoid(x))


hard_swish = hard_silu


def squareplus(x, b=4):
    return binary("multiply", binary("add", x, unary("sqrt", binary(
        "add", binary("multiply", x, x), b))), 0.5)


def mish(x):
    return binary("multiply", x, unary("tanh", softplus(x)))


def tanh(x):
    return unary_float("tanh", x)


def identity(x):
    return as_array(x)


def glu(x, axis=-1):
    import jax.numpy as jnp
    a, b = jnp.split(x, 2, axis)
    return binary("multiply", a, sigmoid(b))


def softmax(x, axis=-1, where=None, initial=None):
    if where is not None:
        x = _c.select(where, x, -3e38)
    return _c.softmax(x, axis)


def log_softmax(x, axis=-1, where=None, initial=None):
    _c.hint("softmax_cross_entropy")
    return _c.softmax(x, axis, True)


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False, where=None):
    if b is not None:
        return unary("log", reduce("sum", binary("multiply", unary("exp", a), b), axis, keepdims))
    _c.hint("softmax_cross_entropy")
    return reduce("logsumexp", a, axis, keepdims)


def logmeanexp(x, axis=None, where=None, keepdims=False):
    return unary("log", reduce("mean", unary("exp", x), axis, keepdims))


def log1mexp(x):
    return unary("log-plus-one", unary("negate", unary("exp", unary("negate", x))))


def standardize(x, axis=-1, mean=None, variance=None, epsilon=1e-5, where=None):
    x = as_array(x)
    if mean is None:
        mean = reduce("mean", x, axis, True)
    if variance is None:
        variance = reduce("variance", x, axis, True)
    return binary("multiply", binary("subtract", x, mean),
                  unary("rsqrt", binary("add", variance, epsilon)))


def one_hot(x, num_classes, *, dtype=None, axis=-1):
    x = as_array(x)
    if _t.is_unknown(x):
        return x
    d = _c.dtype(dtype)
    if _c.RANK[x.dtype.short] >= 10:
        x = _c.convert(x, _c.int32)
    n = len(x.shape)
    if not isinstance(axis, int):
        axis = -1
    place = axis + n + 1 if axis < 0 else axis
    return _c.new(_t.op("tw.one_hot", [x._h], {"depth": int(num_classes),
                                               "axis": place + len(x._b), "dtype": d.short}), x._b)


def dot_product_attention(query, key, value, bias=None, mask=None, *, scale=None,
                          is_causal=False, query_seq_lengths=None, key_value_seq_lengths=None,
                          local_window_size=None, implementation=None, return_residual=False,
                          **kw):
    q, k, v = as_array(query), as_array(key), as_array(value)
    for x in (q, k, v):
        if _t.is_unknown(x):
            return x
    flat = len(q.shape) == 3
    if flat:
        q, k, v = _c.expand_dims(q, 0), _c.expand_dims(k, 0), _c.expand_dims(v, 0)
    extra = None
    if mask is not None:
        extra = as_array(mask)
    if bias is not None:
        extra = as_array(bias) if extra is None else _c.select(extra, bias, -1e30)
    s = 1.0 / math.sqrt(q.shape[-1]) if scale is None else float(scale)
    levels = _c.common_levels([q, k, v])
    if levels:
        return _attention_by_hand(q, k, v, extra, s, is_causal, flat)
    if extra is not None:
        while len(extra.shape) < 4:
            extra = _c.expand_dims(extra, 0)
    hs = [q._h, k._h, v._h] + ([] if extra is None else [extra._h])
    r = _c.new(_t.op("tw.attention", hs, {"causal": bool(is_causal), "scale": s, "flash": False}))
    return _c.squeeze(r, 0) if flat else r


def _attention_by_hand(q, k, v, extra, scale, causal, flat):
    import jax.numpy as jnp
    n = q.shape[-2] // k.shape[-2]
    if n > 1:
        k = jnp.repeat(k, n, -2)
        v = jnp.repeat(v, n, -2)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * scale
    if causal:
        scores = jnp.where(jnp.tri(q.shape[1], k.shape[1], 0, bool), scores, -1e30)
    if extra is not None:
        if extra.dtype is _c.bool_:
            scores = jnp.where(extra, scores, -1e30)
        else:
            scores = scores + extra
    r = jnp.einsum("bhqk,bkhd->bqhd", softmax(scores), v)
    return _c.squeeze(r, 0) if flat else r
