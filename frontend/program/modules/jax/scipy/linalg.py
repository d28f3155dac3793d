"""jax.scipy.linalg."""

from jax.numpy.linalg import cholesky, inv, solve, det, svd, qr, eigh


def block_diag(*xs):
    import jax.numpy as jnp
    n = sum(x.shape[1] for x in xs)
    at = 0
    rows = []
    for x in xs:
        rows.append(jnp.pad(x, ((0, 0), (at, n - at - x.shape[1]))))
        at += x.shape[1]
    return jnp.concatenate(rows, 0)


def solve_triangular(a, b, **kw):
    return solve(a, b)


def cho_solve(c, b):
    return solve(c[0], b)


def cho_factor(a, **kw):
    return cholesky(a), True


def expm(a, **kw):
    return inv(a)
