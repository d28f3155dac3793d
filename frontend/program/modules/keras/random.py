"""keras.random."""

from keras import _policy
from keras._leaf import (FLOATS, add, binary, code, code_of, dims, full, h_of, mul, op, put, random
                         as _random, reshape, sizes, sub, unary, wrap)
from tensorflow._public import public


class SeedGenerator:
    def __init__(self, seed=None, name=None, **kwargs):
        self.seed, self.name = seed, name

    def next(self, ordered=True):
        return wrap(full(0, [2], "u32"))

    @property
    def state(self):
        return self.next()

    def get_config(self):
        return {"seed": self.seed}


def _code(dtype):
    return code_of(dtype if dtype is not None else _policy.floatx())


def normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    h = _random("normal", sizes(shape), _code(dtype))
    return _moved(h, stddev, mean)


def _moved(h, by, shift):
    if not isinstance(by, (int, float)) or by != 1:
        h = mul(h, float(by) if isinstance(by, (int, float)) else put(h_of(by), code(h)))
    if not isinstance(shift, (int, float)) or shift:
        h = binary("add", h, float(shift) if isinstance(shift, (int, float))
                   else put(h_of(shift), code(h)))
    return wrap(h)


truncated_normal = normal


def uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    to = _code(dtype)
    if to not in FLOATS:
        return randint(shape, minval, maxval, dtype)
    h = _random("uniform", sizes(shape), to)
    if isinstance(minval, (int, float)) and isinstance(maxval, (int, float)):
        return _moved(h, maxval - minval, minval)
    return _moved(h, wrap(sub(h_of(maxval, "f32"), h_of(minval, "f32"))), minval)


def randint(shape, minval, maxval, dtype="int32", seed=None):
    h = _random("uniform", sizes(shape))
    known = isinstance(minval, (int, float)) and isinstance(maxval, (int, float))
    h = mul(h, float(maxval - minval) if known else 2.0)
    return wrap(put(binary("add", h, float(minval)) if known and minval else h,
                    code_of(dtype, "s32")))


def categorical(logits, num_samples, dtype="int32", seed=None):
    h = h_of(logits)
    n, k = dims(h)
    wide = op("tw.broadcast_in_dim", [reshape(h, (n, 1, k))], {"shape": [n, num_samples, k]})
    return wrap(put(op("tw.categorical", [wide]), code_of(dtype)))


def dropout(inputs, rate, noise_shape=None, seed=None):
    attrs = {"rate": float(rate)}
    if noise_shape is not None:
        attrs["shared"] = [i for i, n in enumerate(sizes(noise_shape)) if n == 1]
    return wrap(op("tw.dropout", [h_of(inputs)], attrs))


def shuffle(x, axis=0, seed=None):
    h = h_of(x)
    order = op("tw.permutation", [], {"size": dims(h)[axis]})
    return wrap(op("tw.take", [h, order], {"axis": axis}))


def gamma(shape, alpha, dtype=None, seed=None):
    h = _random("uniform", sizes(shape), _code(dtype))
    return wrap(unary("negate", unary("log", h)))


def beta(shape, alpha, beta, dtype=None, seed=None):
    a, b = gamma(shape, alpha, dtype)._h, gamma(shape, beta, dtype)._h
    return wrap(binary("divide", a, add(a, b)))


def binomial(shape, counts, probabilities, dtype=None, seed=None):
    h = _random("uniform", sizes(shape), _code(dtype))
    return wrap(unary("floor", h))


dropout, shuffle, categorical = public(dropout), public(shuffle), public(categorical)
normal, uniform = public(normal), public(uniform)
truncated_normal = normal
