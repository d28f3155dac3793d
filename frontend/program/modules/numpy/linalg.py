"""numpy.linalg: the shapes of its results."""

from . import array, complex128, float64, int64, ndarray, sqrt, sum


class LinAlgError(ValueError):
    pass


def norm(x, ord=None, axis=None, keepdims=False):
    return sqrt(sum(array(x) * x, axis=axis, keepdims=keepdims))


def inv(a):
    return ndarray(a.shape, a.dtype)


def pinv(a, rcond=None, hermitian=False):
    return ndarray(list(a.shape[:-2]) + [a.shape[-1], a.shape[-2]], a.dtype)


def svd(a, full_matrices=True):
    n = min(a.shape)
    return (ndarray([a.shape[0], n], a.dtype), ndarray([n], a.dtype),
            ndarray([n, a.shape[1]], a.dtype))


def _scalars(a, *args, **options):
    a = array(a)
    return ndarray(a.shape[:-2], float64)


det = cond = _scalars


def slogdet(a):
    return _scalars(a), _scalars(a)


def matrix_rank(a, *args, **options):
    return ndarray(array(a).shape[:-2], int64)


def _as_large(a, *args, **options):
    a = array(a)
    return ndarray(a.shape, float64)


cholesky = matrix_power = expm = _as_large


def eigh(a, UPLO="L"):
    a = array(a)
    return ndarray(a.shape[:-1], float64), ndarray(a.shape, float64)


def eig(a):
    a = array(a)
    return ndarray(a.shape[:-1], complex128), ndarray(a.shape, complex128)


def eigvals(a):
    return eig(a)[0]


def eigvalsh(a, UPLO="L"):
    return eigh(a)[0]


def qr(a, mode="reduced"):
    a = array(a)
    m, n = a.shape[-2:]
    k = m if mode == "complete" else min([m, n])
    lead = list(a.shape[:-2])
    r = ndarray(lead + [k, n], float64)
    return r if mode == "r" else (ndarray(lead + [m, k], float64), r)


def solve(a, b):
    b = array(b)
    return ndarray(b.shape, float64)


def lstsq(a, b, rcond=None):
    a, b = array(a), array(b)
    return (ndarray((a.shape[1],) + b.shape[1:], float64), ndarray(b.shape[1:], float64),
            ndarray([], int64), ndarray([min(a.shape)], float64))


def multi_dot(arrays):
    from . import matmul
    made = arrays[0]
    for a in arrays[1:]:
        made = matmul(made, a)
    return made
