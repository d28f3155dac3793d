"""scipy.sparse: matrices of a shape, with at most as many numbers as follows from what they are
made of; the numbers themselves are not kept."""

import _tilewise
import numpy as np
from _tilewise_nothing import module

__getattr__ = module("scipy.sparse")


def _known(*values):
    return not any([_tilewise.is_unknown(v) for v in values])


class spmatrix:
    ndim = 2

    def __init__(self, shape, nnz, dtype=None):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype or "float32")
        whole = self.shape[0] * self.shape[1] if _known(*self.shape) else nnz
        self.nnz = min(nnz, whole) if _known(nnz, whole) else nnz

    def _of(self, shape=None, nnz=None):
        return spmatrix(shape or self.shape, self.nnz if nnz is None else nnz, self.dtype)

    def _same(self, *args, **kwargs):
        return self

    tocsr = tocoo = tocsc = tolil = todok = asformat = copy = multiply = power = abs = _same
    sort_indices = eliminate_zeros = sum_duplicates = __neg__ = __abs__ = sign = _same
    sqrt = _same

    def astype(self, dtype, **kwargs):
        return spmatrix(self.shape, self.nnz, dtype)

    @property
    def T(self):
        return self._of(self.shape[::-1])

    def transpose(self, *args, **kwargs):
        return self.T

    @property
    def data(self):
        return np.ndarray([self.nnz], self.dtype)

    @data.setter
    def data(self, values):
        pass

    @property
    def row(self):
        return np.ndarray([self.nnz], np.int32)

    col = indices = row

    @property
    def indptr(self):
        return np.ndarray([self.shape[0] + 1], np.int32)

    def nonzero(self):
        return self.row, self.col

    def getnnz(self, axis=None):
        return self.nnz

    def todense(self, *args, **kwargs):
        return np.ndarray(list(self.shape), self.dtype)

    toarray = todense

    @property
    def A(self):
        return self.todense()

    def diagonal(self, k=0):
        return np.ndarray([min(self.shape)], self.dtype)

    def setdiag(self, values, k=0):
        self.nnz = self.nnz + self.shape[0]

    def sum(self, axis=None):
        if axis is None:
            return _tilewise.unknown("the sum of a sparse matrix")
        shape = list(self.shape)
        shape[axis] = 1
        return np.ndarray(shape, self.dtype)

    mean = max = min = sum

    def dot(self, other):
        shape = [self.shape[0]] + list(other.shape[1:])
        if isinstance(other, spmatrix):
            # A diagonal keeps what the other one has.
            n = self.nnz if other.nnz == other.shape[0] else other.nnz
            return self._of(shape, n)
        return np.ndarray(shape, self.dtype)

    __matmul__ = dot

    def __add__(self, other):
        return self._of(None, self.nnz + other.nnz) if isinstance(other, spmatrix) else \
            self.todense()

    __radd__ = __add__

    def __sub__(self, other):
        return self if isinstance(other, spmatrix) else self.todense()

    def __mul__(self, other):
        return self.dot(other) if isinstance(other, (spmatrix, np.ndarray)) else self

    __rmul__ = __truediv__ = __pow__ = _same
    __gt__ = __lt__ = __ge__ = __le__ = __ne__ = _same

    def __eq__(self, other):
        return self

    def __getitem__(self, index):
        shape = np.ndarray(list(self.shape), self.dtype)[index]
        shape = getattr(shape, "shape", ())
        if len(shape) != 2:
            return np.ndarray(list(shape), self.dtype) if shape else _tilewise.unknown(
                "a number of a sparse matrix")
        part = self.nnz * shape[0] * shape[1] // max(self.shape[0] * self.shape[1], 1) \
            if _known(self.nnz, *self.shape, *shape) else self.nnz
        return self._of(shape, part)

    def __setitem__(self, index, value):
        if isinstance(value, spmatrix) and value.nnz > self.nnz:
            self.nnz = value.nnz


def _made(arg1, shape=None, dtype=None, copy=False):
    """Of an array, of (numbers, places), or of a shape alone, as the classes of scipy take it."""
    if _tilewise.is_unknown(arg1):
        return arg1
    if isinstance(arg1, spmatrix):
        return arg1.astype(dtype) if dtype is not None else arg1
    if isinstance(arg1, tuple) and len(arg1) in (2, 3) and hasattr(arg1[0], "__len__"):
        values = np.array(arg1[0])
        if shape is None:
            return _tilewise.unknown("the shape of a sparse matrix, which its numbers decide")
        return spmatrix(shape, values.size, dtype or values.dtype)
    if isinstance(arg1, tuple) and len(arg1) == 2:
        return spmatrix(arg1, 0, dtype)
    dense = np.array(arg1)
    if _tilewise.is_unknown(dense):
        return dense
    shape = dense.shape if len(dense.shape) == 2 else (1,) + tuple(dense.shape)
    return spmatrix(shape, dense.size, dtype or dense.dtype)


class csr_matrix(spmatrix):
    def __new__(cls, arg1, shape=None, dtype=None, copy=False):
        return _made(arg1, shape, dtype, copy)


class coo_matrix(csr_matrix):
    pass


class csc_matrix(csr_matrix):
    pass


class lil_matrix(csr_matrix):
    pass


class dok_matrix(csr_matrix):
    pass


class dia_matrix(csr_matrix):
    pass


csr_array, coo_array, csc_array, lil_array, sparray = (
    csr_matrix, coo_matrix, csc_matrix, lil_matrix, spmatrix)


def eye(m, n=None, k=0, dtype=float, format=None):
    return spmatrix((m, n or m), min(m, n or m) if _known(m, n) else m, dtype)


identity = eye_array = eye


def diags(diagonals, offsets=0, shape=None, format=None, dtype=None):
    if _tilewise.is_unknown(diagonals):
        return diagonals
    first = diagonals if isinstance(diagonals, np.ndarray) and diagonals.ndim == 1 else diagonals[0]
    n = len(first)
    return spmatrix(shape or (n, n), n, dtype)


def _joined(blocks, axis):
    if _tilewise.is_unknown(blocks) or not _known(*blocks):
        return _tilewise.unknown("sparse matrices of which one is not known")
    blocks = [_made(b) for b in blocks]
    shape = list(blocks[0].shape)
    shape[axis] = sum([b.shape[axis] for b in blocks])
    return spmatrix(shape, sum([b.nnz for b in blocks]), blocks[0].dtype)


def vstack(blocks, format=None, dtype=None):
    return _joined(blocks, 0)


def hstack(blocks, format=None, dtype=None):
    return _joined(blocks, 1)


def tril(A, k=0, format=None):
    return _made(A)._of(None, _made(A).nnz // 2)


triu = tril


def find(A):
    return _made(A).row, _made(A).col, _made(A).data


def issparse(x):
    return isinstance(x, spmatrix)


isspmatrix = issparse


def isspmatrix_coo(x):
    return isinstance(x, spmatrix)


isspmatrix_csr = isspmatrix_csc = isspmatrix_lil = isspmatrix_coo
