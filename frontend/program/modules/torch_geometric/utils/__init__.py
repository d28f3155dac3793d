"""Functions on edges. What depends on which edges there are keeps the most that there can be."""

import torch
from torch.nn import functional as F
from _tilewise_nothing import module
from .._graphs import inputs

__getattr__ = module("torch_geometric.utils")


def nodes_of(index, num_nodes=None):
    return num_nodes if num_nodes is not None else int(index.max()) + 1


def scatter(src, index, dim=0, dim_size=None, reduce="sum"):
    """Rows of `src` with the same index become one."""
    size = dim_size if dim_size is not None else index.shape[0]
    dim = dim + src.dim() if dim < 0 else dim
    shape = list(src.shape)
    shape[dim] = size
    if reduce in ("sum", "add", "mean"):
        total = src.new_zeros(shape).index_add(dim, index, src)
        if reduce != "mean":
            return total
        count = src.new_zeros([size]).index_add(0, index, torch.ones(index.shape[0]))
        return total / count.clamp(min=1).reshape([size] + [1] * (src.dim() - dim - 1))
    at = index.reshape([-1] + [1] * (src.dim() - dim - 1)).expand(src.shape) if dim == 0 else index
    return src.new_zeros(shape).scatter_reduce(dim, at, src,
                                               {"max": "amax", "min": "amin", "mul": "prod"}.get(
                                                   reduce, reduce))


def softmax(src, index=None, ptr=None, num_nodes=None, dim=0):
    size = num_nodes if num_nodes is not None else index.shape[0]
    out = (src - scatter(src.detach(), index, dim, size, "max").index_select(dim, index)).exp()
    return out / (scatter(out, index, dim, size).index_select(dim, index) + 1e-16)


def degree(index, num_nodes=None, dtype=None):
    n = num_nodes if num_nodes is not None else index.shape[0]
    return torch.zeros(n).index_add(0, index, torch.ones(index.shape[0]))


def add_self_loops(edge_index, edge_attr=None, fill_value=None, num_nodes=None):
    n = num_nodes if num_nodes is not None else edge_index.shape[1]
    loop = torch.arange(n).unsqueeze(0).repeat(2, 1)
    if edge_attr is not None:
        edge_attr = torch.cat([edge_attr, edge_attr.new_ones([n] + list(edge_attr.shape[1:]))], 0)
    return torch.cat([edge_index, loop], 1), edge_attr


add_remaining_self_loops = add_self_loops


def remove_self_loops(edge_index, edge_attr=None):
    return edge_index, edge_attr


def dropout_adj(edge_index, edge_attr=None, p=0.5, *args, **kwargs):
    return edge_index, edge_attr


dropout_edge = dropout_adj


def to_undirected(edge_index, *args, **kwargs):
    both = torch.cat([edge_index, edge_index.flip(0)], 1)
    return (both,) + args if args and hasattr(args[0], "shape") else both


def sort_edge_index(edge_index, *args, **kwargs):
    return edge_index


coalesce = sort_edge_index


def negative_sampling(edge_index, num_nodes=None, num_neg_samples=None, **kwargs):
    return inputs([2, num_neg_samples or edge_index.shape[1]], "s64")


def to_dense_batch(x, batch=None, fill_value=0.0, max_num_nodes=None, batch_size=None):
    """As many rows for each graph as its mean has."""
    n = batch_size or (batch_count(batch) if batch is not None else 1)
    rows = max_num_nodes or x.shape[0] // n
    x = x[:n * rows].reshape([n, rows] + list(x.shape[1:]))
    return x, torch.ones(n, rows, dtype=torch.bool)


def batch_count(batch):
    """How many graphs a batch has: the size that the loader gives."""
    from torch._tensor import state
    return state.loaded if type(state.loaded) is int else 1


def get_laplacian(edge_index, edge_weight=None, normalization=None, dtype=None, num_nodes=None):
    return add_self_loops(edge_index, torch.ones(edge_index.shape[1]), num_nodes=num_nodes)


def is_undirected(*args, **kwargs):
    return True


def contains_self_loops(edge_index):
    return False


contains_isolated_nodes = has_isolated_nodes = has_self_loops = contains_self_loops
