"""Functions of jax.numpy that few programs use."""

import _tilewise as _t
import jax.numpy as jnp
from jax import _core as _c
from jax._core import as_array, binary


class _Index:
    """x[s_[i:j]] is x[i:j]."""

    def __getitem__(self, index):
        return index


s_ = index_exp = _Index()


class _Joined:
    """r_[a, 0:4] and c_[a, b]."""

    def __init__(self, columns):
        self._columns = columns

    def __getitem__(self, index):
        parts = []
        for p in index if isinstance(index, tuple) else (index,):
            if isinstance(p, str):
                return _t.unknown("arrays that are joined as a text says")
            a = jnp.arange(p.start or 0, p.stop, p.step or 1) if isinstance(p, slice) \
                else jnp.atleast_1d(p)
            parts.append(jnp.expand_dims(a, 1) if self._columns and a.ndim == 1 else a)
        return jnp.concatenate(parts, -1 if self._columns else 0)


r_, c_ = _Joined(False), _Joined(True)


class _Lattice:
    def __getitem__(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        rank = len(parts)
        made = []
        for d, p in enumerate(parts):
            a = jnp.arange(p.start or 0, p.stop, p.step or 1)
            made.append(jnp.reshape(a, [1] * d + [-1] + [1] * (rank - d - 1)))
        return made


ogrid = _Lattice()


def argpartition(a, kth, axis=-1):
    return jnp.argsort(a, axis)


def copysign(x1, x2):
    return binary("multiply", jnp.abs(x1), jnp.sign(x2))


def signbit(x):
    return jnp.less(x, 0)


def degrees(x):
    return jnp.rad2deg(x)


def divmod(x1, x2):
    return jnp.floor_divide(x1, x2), jnp.remainder(x1, x2)


def modf(x):
    whole = jnp.trunc(x)
    return binary("subtract", x, whole), whole


def nextafter(x1, x2):
    return binary("add", x1, binary("multiply", x2, 0.0))


def logaddexp2(x1, x2):
    return jnp.logaddexp(x1, x2)


def gradient(f, *varargs, axis=None, **kw):
    """Differences of neighbours, over each axis or one."""
    f = as_array(f)
    axes = range(f.ndim) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    made = [binary("multiply", binary("subtract", jnp.roll(f, -1, d), jnp.roll(f, 1, d)), 0.5)
            for d in axes]
    return made[0] if len(made) == 1 else made


def corrcoef(x, y=None, rowvar=True, **kw):
    return jnp.cov(x)


def correlate(a, v, mode="valid", **kw):
    return jnp.convolve(a, v, mode)


def ediff1d(ary, *args, **kw):
    return jnp.diff(jnp.ravel(ary))


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = as_array(y)
    n = y.shape[axis]
    low = jnp.take(y, jnp.arange(n - 1), axis)
    high = jnp.take(y, jnp.arange(1, n), axis)
    wide = dx if x is None else jnp.diff(x)
    means = binary("multiply", binary("add", low, high), 0.5)
    return jnp.sum(binary("multiply", means, wide), axis)


trapz = trapezoid


def vander(x, N=None, increasing=False):
    x = as_array(x)
    n = x.shape[0] if N is None else N
    powers = jnp.arange(n) if increasing else jnp.arange(n - 1, -1, -1)
    return jnp.power(jnp.expand_dims(x, -1), powers)


def diagflat(v, k=0):
    return jnp.diag(jnp.ravel(v), k)


def fill_diagonal(a, val, wrap=False, *, inplace=True):
    a = as_array(a)
    return jnp.where(jnp.eye(a.shape[-2], a.shape[-1], dtype=bool), val, a)


def dsplit(ary, indices_or_sections):
    return jnp.split(ary, indices_or_sections, 2)


def triu_indices_from(arr, k=0):
    return jnp.triu_indices(arr.shape[-2], k, arr.shape[-1])


def tril_indices_from(arr, k=0):
    return jnp.tril_indices(arr.shape[-2], k, arr.shape[-1])


def unwrap(p, *args, **kw):
    return as_array(p)


def iscomplex(x):
    return jnp.not_equal(jnp.imag(x), 0)


def isreal(x):
    return jnp.equal(jnp.imag(x), 0)


def in1d(ar1, ar2, *args, **kw):
    return jnp.isin(jnp.ravel(ar1), ar2)


def nanargmax(a, axis=None, **kw):
    return jnp.argmax(a, axis)


def nanargmin(a, axis=None, **kw):
    return jnp.argmin(a, axis)


def nanmedian(a, axis=None, keepdims=False, **kw):
    return jnp.median(a, axis, keepdims)


def nanquantile(a, q, axis=None, **kw):
    return jnp.quantile(a, q, axis, **kw)


def nanpercentile(a, q, axis=None, **kw):
    return jnp.percentile(a, q, axis, **kw)


def _differing(name):
    def of(*args, size=None, **kw):
        if size is None:
            return _t.unknown("as many elements as differ")
        return jnp.sort(jnp.ravel(args[0]))[:size]
    return of


setdiff1d, union1d, intersect1d = (_differing(n) for n in ("setdiff1d", "union1d", "intersect1d"))


def polyfit(x, y, deg, *args, **kw):
    return jnp.linalg.solve(jnp.eye(deg + 1), jnp.zeros(deg + 1))


def packbits(a, axis=None, **kw):
    a = jnp.ravel(a) if axis is None else as_array(a)
    d = 0 if axis is None else axis % a.ndim
    parts = jnp.reshape(a, a.shape[:d] + (a.shape[d] // 8, 8) + a.shape[d + 1:])
    return _c.convert(jnp.sum(parts, d + 1), jnp.uint8)
