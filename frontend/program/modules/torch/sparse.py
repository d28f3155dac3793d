"""torch.sparse: matrices as places and numbers; a product gathers rows and adds them up."""

import torch

from ._tensor import Tensor


class SparseTensor:
    is_sparse, requires_grad, layout, device, grad = True, False, "sparse_coo", "cpu", None

    def __init__(self, indices, values, size=None):
        self._places = indices if isinstance(indices, Tensor) else torch.tensor(indices)
        self._numbers = values if isinstance(values, Tensor) else torch.tensor(values)
        self.shape = torch.Size(size)

    def _same(self, *args, **kwargs):
        return self

    to = cuda = cpu = coalesce = contiguous = detach = clone = requires_grad_ = _same
    to_sparse = to_sparse_csr = to_sparse_coo = float = _same

    @property
    def dtype(self):
        return self._numbers.dtype

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def dim(self):
        return len(self.shape)

    def indices(self):
        return self._places

    def values(self):
        return self._numbers

    _indices, _values = indices, values

    def _nnz(self):
        return self._numbers.shape[0]

    def t(self):
        return SparseTensor(self._places.flip(0), self._numbers, self.shape[::-1])

    T = property(t)

    def to_dense(self):
        dense = torch.zeros(self.shape[0] * self.shape[1], dtype=self.dtype)
        at = self._places[0] * self.shape[1] + self._places[1]
        return dense.index_add(0, at, self._numbers).reshape(self.shape)

    def mm(self, x):
        column = x.dim() == 1
        x = x.unsqueeze(1) if column else x
        rows = x.index_select(0, self._places[1]) * self._numbers.to(x.dtype).unsqueeze(1)
        y = torch.zeros(self.shape[0], x.shape[1], dtype=x.dtype).index_add(
            0, self._places[0], rows)
        return y.squeeze(1) if column else y

    def __add__(self, other):
        if isinstance(other, SparseTensor):
            return SparseTensor(torch.cat([self._places, other._places], 1),
                                torch.cat([self._numbers, other._numbers]), self.shape)
        return self.to_dense() + other

    __radd__ = __add__

    matmul = mv = spmm = __matmul__ = mm


def mm(mat1, mat2):
    return mat1.mm(mat2)


def FloatTensor(indices, values, size=None):
    return sparse_coo_tensor(indices, values, size)


def sparse_coo_tensor(indices, values=None, size=None, dtype=None, device=None,
                      requires_grad=False, **options):
    import _tilewise
    for given in (indices, values, size):
        if given is None or _tilewise.is_unknown(given):
            return _tilewise.unknown("a sparse matrix whose places are not known")
    return SparseTensor(indices, values, size)


DoubleTensor = LongTensor = FloatTensor
