"""torch_scatter: rows with the same index become one."""

from torch_geometric.utils import scatter as _scatter, softmax


def scatter(src, index, dim=-1, out=None, dim_size=None, reduce="sum"):
    if index.dim() > 1:  # of one index for each number, all are the same along other dims
        for d in range(index.dim() - 1, -1, -1):
            if d != dim % src.dim():
                index = index.select(d, 0)
    return _scatter(src, index, dim, dim_size, reduce)


def scatter_add(src, index, dim=-1, out=None, dim_size=None):
    return scatter(src, index, dim, out, dim_size)


scatter_sum = scatter_add


def scatter_mean(src, index, dim=-1, out=None, dim_size=None):
    return scatter(src, index, dim, out, dim_size, "mean")


def scatter_max(src, index, dim=-1, out=None, dim_size=None):
    return scatter(src, index, dim, out, dim_size, "max"), None


def scatter_min(src, index, dim=-1, out=None, dim_size=None):
    return scatter(src, index, dim, out, dim_size, "min"), None


def scatter_softmax(src, index, dim=-1, dim_size=None):
    return softmax(src, index, None, dim_size, dim)
