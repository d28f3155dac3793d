"""torch.linalg: norms and products; decompositions have the shapes of their results."""

from . import _tensor
from ._tensor import full_like, wrap


def norm(input, ord=None, dim=None, keepdim=False, dtype=None):
    return input.norm(2 if ord is None else ord, dim, keepdim, dtype)


vector_norm = matrix_norm = norm


def matmul(input, other):
    return input.matmul(other)


def multi_dot(tensors):
    x = tensors[0]
    for t in tensors[1:]:
        x = x.matmul(t)
    return x


def cross(input, other, dim=-1):
    return input.roll(-1, dim) * other.roll(1, dim) - input.roll(1, dim) * other.roll(-1, dim)


def inv(A):
    return wrap(_tensor._op("onnx.com.microsoft.Inverse", [A._h]))


def det(A):
    return wrap(_tensor._op("onnx.Det", [A._h]))


def slogdet(A):
    value = det(A)
    return value.sign(), value.abs().log()


def logdet(A):
    return det(A).log()


def qr(A, mode="reduced"):
    n = min(A.shape[-2:])
    return (full_like(A, 0, shape=list(A.shape[:-1]) + [n]),
            full_like(A, 0, shape=list(A.shape[:-2]) + [n, A.shape[-1]]))


def svd(A, full_matrices=True):
    n = min(A.shape[-2:])
    lead = list(A.shape[:-2])
    return (full_like(A, 0, shape=lead + [A.shape[-2], n]), full_like(A, 0, shape=lead + [n]),
            full_like(A, 0, shape=lead + [n, A.shape[-1]]))


def cholesky(A, upper=False):
    return A.tril()


def solve(A, B, left=True):
    return inv(A).matmul(B)
