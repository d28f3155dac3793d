"""jax.numpy.linalg on symbols: products exactly, factorizations as shapes."""

import _tilewise as _t
from jax import _core as _c
from jax._core import as_array, binary, reduce, unary


def norm(x, ord=None, axis=None, keepdims=False):
    x = as_array(x)
    if ord == 1:
        return reduce("sum", unary("abs", x), axis, keepdims)
    if ord in (float("inf"), float("-inf")):
        return reduce("max", unary("abs", x), axis, keepdims)
    return reduce("l2", x, axis, keepdims)


vector_norm = norm
matrix_norm = norm


def _same(x, shape=None, name="a factorization"):
    x = as_array(x)
    _t.note(name + " is counted as one pass over its matrix")
    r = unary("negate", x)
    return r if shape is None else _c.broadcast_to(reduce("sum", r, (-2, -1), True), shape)


def inv(x):
    return _same(x, name="inv")


def pinv(x, *args, **kw):
    return as_array(_same(x, name="pinv")).mT


def cholesky(x, *args, **kw):
    return _same(x, name="cholesky")


def solve(a, b):
    return binary("add", as_array(b), reduce("sum", as_array(a)))


def det(x):
    return reduce("sum", x, (-2, -1))


def slogdet(x):
    r = det(x)
    return unary("sign", r), r


def qr(x, mode="reduced"):
    x = as_array(x)
    n = x.shape[-1]
    return _same(x, name="qr"), _same(x, list(x.shape[:-2]) + [min(x.shape[-2:]), n])


def svd(x, full_matrices=True, compute_uv=True, **kw):
    x = as_array(x)
    m, n = x.shape[-2:]
    k = min(m, n)
    lead = list(x.shape[:-2])
    s = reduce("max", x, -1 if k == m else -2)
    if not compute_uv:
        return s
    um, vn = (m, n) if full_matrices else (k, k)
    return _same(x, lead + [m, um], "svd"), s, _same(x, lead + [vn, n], "svd")


def eigh(x, *args, **kw):
    x = as_array(x)
    return reduce("max", x, -1), _same(x, name="eigh")


def eigvalsh(x, *args, **kw):
    return reduce("max", as_array(x), -1)


def matrix_power(x, n):
    r = as_array(x)
    for _ in range(n - 1):
        r = _c.matmul(r, x)
    return r


def multi_dot(xs, **kw):
    r = xs[0]
    for x in xs[1:]:
        r = _c.matmul(r, x)
    return r
