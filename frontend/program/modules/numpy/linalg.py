from . import array, ndarray, sqrt, sum


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
