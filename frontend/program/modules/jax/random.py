"""jax.random on symbols. Keys are free of ops."""

import math

import _tilewise as _t
from jax import _core as _c
from jax._core import Array, Key, as_array, binary


def _is_shape(x):
    return isinstance(x, (tuple, list))


def PRNGKey(seed, *, impl=None):
    return Key(())


key = PRNGKey


def split(key, num=2):
    shape = tuple(num) if isinstance(num, (tuple, list)) else (int(num),)
    if isinstance(key, Key):
        return Key(shape + tuple(key.shape), key._b)
    return Key(shape, getattr(key, "_b", ()))


def fold_in(key, data):
    levels = tuple(sorted(set(getattr(key, "_b", ()) + getattr(data, "_b", ()))))
    return Key(getattr(key, "shape", ()) if isinstance(key, Key) else (), levels)


def key_data(key):
    return key


def wrap_key_data(data, *, impl=None):
    return data if isinstance(data, Key) else Key(())


def key_impl(key):
    return "threefry2x32"


def clone(key):
    return key


def _draw(key, kind, shape, dtype):
    levels = getattr(key, "_b", ())
    d = _c.dtype(dtype)
    sizes = _c.sizes_of(levels)
    shape = tuple(_t.sizes(shape))
    r = _c.lazy(shape, d, lambda: _t.op("tw.random", [], {
        "kind": kind, "shape": sizes + list(shape), "dtype": d.short}))
    if levels:
        r._b = levels
    return r


def uniform(key, shape=(), dtype=None, minval=0.0, maxval=1.0, **kw):
    r = _draw(key, "uniform", shape, dtype)
    if _t.is_unknown(minval) or _t.is_unknown(maxval):
        return r
    if isinstance(minval, Array) or isinstance(maxval, Array) or minval != 0 or maxval != 1:
        scale = binary("subtract", maxval, minval) if isinstance(minval, Array) \
            or isinstance(maxval, Array) else maxval - minval
        r = _later(r, lambda y: binary("add", binary("multiply", y, scale), minval))
    return r


def _later(r, function):
    """`function(r)`, of the same shape and type, made when it is used."""
    base = r
    s = _c.lazy(r.shape, r.dtype, lambda: _c.convert(function(base), base.dtype)._h)
    if r._b:
        s._b = r._b
    return s


def normal(key, shape=(), dtype=None, **kw):
    return _draw(key, "normal", shape, dtype)


def truncated_normal(key, lower=-2.0, upper=2.0, shape=None, dtype=None, **kw):
    return _draw(key, "normal", () if shape is None else shape, dtype)


def bernoulli(key, p=0.5, shape=None, **kw):
    if shape is None:
        shape = p.shape if isinstance(p, Array) else ()
    return _c.compare("LT", _draw(key, "uniform", shape, None), p)


def randint(key, shape, minval, maxval, dtype=None, **kw):
    d = _c.dtype(dtype, _c.int32)
    shape = tuple(_t.sizes(shape))
    bits = _draw(key, "bits", shape, _c.uint32)

    def make():
        low = minval if isinstance(minval, (int, Array)) else as_array(minval)
        high = maxval if isinstance(maxval, (int, Array)) else as_array(maxval)
        span = high - low if isinstance(low, int) and isinstance(high, int) \
            else binary("subtract", high, low)
        r = _c.convert(bits, d)
        return _c.convert(binary("add", binary("remainder", r, span), low), d)._h

    r = _c.lazy(shape, d, make)
    if bits._b:
        r._b = bits._b
    return r


def bits(key, shape=(), dtype=None):
    return _draw(key, "bits", shape, dtype or _c.uint32)


def permutation(key, x, axis=0, independent=False, **kw):
    import jax.numpy as jnp
    n = x if isinstance(x, int) else as_array(x).shape[axis]
    order = jnp.argsort(_draw(key, "uniform", (n,), None))
    return order if isinstance(x, int) else _c.take(as_array(x), order, axis)


def shuffle(key, x, axis=0):
    return permutation(key, x, axis)


def choice(key, a, shape=(), replace=True, p=None, axis=0, **kw):
    n = a if isinstance(a, int) else as_array(a).shape[axis]
    index = randint(key, shape, 0, n)
    return index if isinstance(a, int) else _c.take(as_array(a), index, axis)


def categorical(key, logits, axis=-1, shape=None, **kw):
    logits = as_array(logits)
    if shape is not None:
        n = len(logits.shape)
        axis = axis % n - n
        wide = list(shape)
        wide.insert(len(wide) + axis + 1, logits.shape[axis])
        logits = _c.broadcast_to(logits, wide)
    noise = gumbel(key, logits.shape, logits.dtype)
    return _c.arg_reduce("max", binary("add", logits, noise), axis)


def gumbel(key, shape=(), dtype=None, **kw):
    u = _draw(key, "uniform", shape, dtype)
    return _later(u, lambda y: _c.unary("negate", _c.unary("log", _c.unary(
        "negate", _c.unary("log", y)))))


def exponential(key, shape=(), dtype=None):
    u = _draw(key, "uniform", shape, dtype)
    return _later(u, lambda y: _c.unary("negate", _c.unary("log", y)))


def _normal_like(key, shape=(), dtype=None):
    return _draw(key, "normal", () if shape is None else shape, dtype)


def laplace(key, shape=(), dtype=None):
    return _normal_like(key, shape, dtype)


def logistic(key, shape=(), dtype=None):
    return _normal_like(key, shape, dtype)


def cauchy(key, shape=(), dtype=None):
    return _normal_like(key, shape, dtype)


def gamma(key, a, shape=None, dtype=None, **kw):
    return _normal_like(key, as_array(a).shape if shape is None else shape, dtype)


def beta(key, a, b, shape=None, dtype=None):
    return _normal_like(key, as_array(a).shape if shape is None else shape, dtype)


def poisson(key, lam, shape=None, dtype=None):
    return randint(key, as_array(lam).shape if shape is None else shape, 0, 10)


def dirichlet(key, alpha, shape=None, dtype=None):
    a = as_array(alpha).shape
    return _normal_like(key, a if shape is None else tuple(shape) + tuple(a[-1:]), dtype)


def rademacher(key, shape=(), dtype=None):
    b = bernoulli(key, 0.5, shape)
    return _c.convert(_c.select(b, 1, -1), _c.dtype(dtype, _c.int32))


def multivariate_normal(key, mean, cov, shape=None, dtype=None, **kw):
    mean = as_array(mean)
    z = normal(key, mean.shape if shape is None else tuple(shape) + tuple(mean.shape[-1:]), dtype)
    return binary("add", _c.matmul(z, as_array(cov)), mean)


def orthogonal(key, n, shape=(), dtype=None, **kw):
    return _normal_like(key, tuple(shape) + (n, n), dtype)


def ball(key, d, p=2, shape=(), dtype=None):
    return _normal_like(key, tuple(shape) + (d,), dtype)


def _of_parameter(key, of, shape=None, dtype=None, **kw):
    return _normal_like(key, as_array(of).shape if shape is None else shape, dtype)


t = chisquare = loggamma = pareto = _of_parameter


def rayleigh(key, scale, shape=None, dtype=None):
    return _of_parameter(key, scale, shape, dtype)


def weibull_min(key, scale, concentration, shape=(), dtype=None):
    return exponential(key, shape, dtype)


def lognormal(key, sigma=1.0, shape=None, dtype=None):
    return _later(_normal_like(key, () if shape is None else shape, dtype),
                  lambda y: _c.unary("exp", y))


def binomial(key, n, p, shape=None, dtype=None):
    return _of_parameter(key, p, shape, dtype)


def geometric(key, p, shape=None, dtype=None):
    return randint(key, as_array(p).shape if shape is None else shape, 0, 10)


def triangular(key, left, mode, right, shape=None, dtype=None):
    return _of_parameter(key, mode, shape, dtype)


def generalized_normal(key, p, shape=(), dtype=None):
    return _normal_like(key, shape, dtype)


maxwell = double_sided_maxwell = laplace


def default_prng_impl():
    return "threefry2x32"
