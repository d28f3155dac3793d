"""torch_sparse: a sparse matrix is the edges that it stands for."""

import torch
from _tilewise_nothing import module

__getattr__ = module("torch_sparse")


class SparseTensor:
    def __init__(self, row=None, rowptr=None, col=None, value=None, sparse_sizes=None,
                 is_sorted=False, trust_data=False):
        self._edges, self._value = torch.stack([col, row], 0), value
        self._sizes = sparse_sizes

    @classmethod
    def from_edge_index(cls, edge_index, edge_attr=None, sparse_sizes=None, **kwargs):
        return cls(row=edge_index[0], col=edge_index[1], value=edge_attr,
                   sparse_sizes=sparse_sizes)

    def _with(self, edges):
        made = SparseTensor.from_edge_index(edges.flip(0), None, self._sizes)
        return made

    def to_symmetric(self, reduce="sum"):
        return self._with(torch.cat([self._edges, self._edges.flip(0)], 1))

    def set_diag(self, values=None, k=0):
        n = self._sizes[0] if self._sizes is not None else self._edges.shape[1]
        return self._with(torch.cat([self._edges, torch.arange(n).unsqueeze(0).repeat(2, 1)], 1))

    fill_diag = set_diag

    def t(self):
        return self._with(self._edges.flip(0))

    def to(self, *args, **kwargs):
        return self

    cuda = cpu = coalesce = set_value = fill_value = to

    def coo(self):
        return self._edges[1], self._edges[0], self._value

    def sum(self, dim=1):
        n = self._sizes[0] if self._sizes is not None else self._edges.shape[1]
        return torch.zeros(n).index_add(0, self._edges[1], torch.ones(self._edges.shape[1]))

    def nnz(self):
        return self._edges.shape[1]

    def size(self, dim):
        return self._sizes[dim]

    sparse_size = size

    def sparse_sizes(self):
        return self._sizes

    def _same(self, other):
        return self

    __mul__ = __rmul__ = mul = _same

    def matmul(self, x, reduce="sum"):
        return matmul(self, x, reduce)

    __matmul__ = matmul


def matmul(src, other, reduce="sum"):
    from torch_geometric.utils import scatter
    n = src._sizes[0] if src._sizes is not None else other.shape[0]
    return scatter(other.index_select(0, src._edges[0]), src._edges[1], 0, n, reduce)


def mul(src, other):
    return src


def sum(src, dim=1):
    return src.sum(dim)


def fill_diag(src, value):
    return src.set_diag()


def edges_of(value):
    """The edges of a sparse matrix; what is none stays."""
    return value._edges if isinstance(value, SparseTensor) else value
