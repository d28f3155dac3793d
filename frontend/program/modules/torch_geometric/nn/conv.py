"""Convolutions on graphs: weights as published, and messages along the edges."""

import torch
from torch import nn
from torch.nn import functional as F
from torch_geometric.utils import add_self_loops, degree, softmax
from .linear import Linear
from .message import MessagePassing

__all__ = ["MessagePassing", "GCNConv", "GATConv", "GATv2Conv", "SAGEConv", "GraphConv",
           "GINConv", "GINEConv", "ChebConv", "TransformerConv", "SplineConv", "NNConv",
           "EdgeConv", "DynamicEdgeConv", "PointNetConv", "PointConv", "TAGConv", "SGConv",
           "APPNP", "GatedGraphConv", "RGCNConv", "ResGatedGraphConv", "ECConv"]


def _pair(x):
    return x if isinstance(x, (tuple, list)) else (x, x)


def _zeros(*shape):
    return nn.Parameter(torch.zeros(*shape))


class GCNConv(MessagePassing):
    def __init__(self, in_channels, out_channels, improved=False, cached=False,
                 add_self_loops=True, normalize=True, bias=True, **kwargs):
        super().__init__(**kwargs)
        self.loops, self.normalize = add_self_loops, normalize
        self.lin = Linear(in_channels, out_channels, bias=False)
        self.bias = _zeros(out_channels) if bias else None

    def forward(self, x, edge_index, edge_weight=None):
        edge_index, weight = _normed(edge_index, edge_weight, x.shape[-2], self.loops) \
            if self.normalize else (edge_index, edge_weight)
        out = self.propagate(edge_index, x=self.lin(x), edge_weight=weight)
        return out if self.bias is None else out + self.bias

    def message(self, x_j, edge_weight):
        return x_j if edge_weight is None else edge_weight.reshape(-1, 1) * x_j


def _normed(edge_index, weight, n, loops):
    if loops:
        edge_index, weight = add_self_loops(edge_index, weight, num_nodes=n)
    root = degree(edge_index[1], n).clamp(min=1).rsqrt()
    norm = root.index_select(0, edge_index[0]) * root.index_select(0, edge_index[1])
    return edge_index, norm if weight is None else norm * weight.reshape(-1)


class GATConv(MessagePassing):
    def __init__(self, in_channels, out_channels, heads=1, concat=True, negative_slope=0.2,
                 dropout=0.0, add_self_loops=True, edge_dim=None, fill_value="mean", bias=True,
                 **kwargs):
        super().__init__(node_dim=0, **{k: v for k, v in kwargs.items() if k != "node_dim"})
        self.heads, self.out_channels, self.concat = heads, out_channels, concat
        self.slope, self.dropout, self.loops = negative_slope, dropout, add_self_loops
        wide = heads * out_channels
        self._make_linears(in_channels, wide)
        self.lin_edge = Linear(edge_dim, wide, bias=False) if edge_dim is not None else None
        self.att_edge = _zeros(1, heads, out_channels) if edge_dim is not None else None
        self.bias = _zeros(wide if concat else out_channels) if bias else None

    def _make_linears(self, in_channels, wide):
        if isinstance(in_channels, (tuple, list)):
            self.lin_src = Linear(in_channels[0], wide, bias=False)
            self.lin_dst = Linear(in_channels[1], wide, bias=False)
        else:
            self.lin = Linear(in_channels, wide, bias=False)
        self.att_src = _zeros(1, self.heads, self.out_channels)
        self.att_dst = _zeros(1, self.heads, self.out_channels)

    def _projected(self, x):
        shape = (-1, self.heads, self.out_channels)
        if isinstance(x, (tuple, list)):
            one = getattr(self, "lin_src", None) or self.lin
            other = getattr(self, "lin_dst", None) or self.lin
            return one(x[0]).view(shape), other(x[1]).view(shape)
        y = self.lin(x).view(shape)
        return y, y

    def forward(self, x, edge_index, edge_attr=None, size=None, return_attention_weights=None):
        source, target = self._projected(x)
        if self.loops:
            edge_index, edge_attr = add_self_loops(edge_index, edge_attr,
                                                   num_nodes=target.shape[0])
        out = self.propagate(edge_index, x=(source, target), edge_attr=edge_attr,
                             alpha=self._scores(source, target))
        out = out.reshape(-1, self.heads * self.out_channels) if self.concat else out.mean(1)
        out = out if self.bias is None else out + self.bias
        return out if return_attention_weights is None else (out, (edge_index, None))

    def _scores(self, source, target):
        return (source * self.att_src).sum(-1), (target * self.att_dst).sum(-1)

    def _edges(self, edge_attr):
        edge_attr = edge_attr.reshape(-1, 1) if edge_attr.dim() == 1 else edge_attr
        return self.lin_edge(edge_attr).view(-1, self.heads, self.out_channels)

    def message(self, x_j, alpha_i, alpha_j, edge_attr, index, dim_size):
        alpha = alpha_i + alpha_j
        if self.lin_edge is not None and edge_attr is not None:
            alpha = alpha + (self._edges(edge_attr) * self.att_edge).sum(-1)
        alpha = softmax(F.leaky_relu(alpha, self.slope), index, None, dim_size)
        return x_j * F.dropout(alpha, self.dropout, self.training).unsqueeze(-1)


class GATv2Conv(GATConv):
    def __init__(self, in_channels, out_channels, heads=1, concat=True, negative_slope=0.2,
                 dropout=0.0, add_self_loops=True, edge_dim=None, fill_value="mean", bias=True,
                 share_weights=False, **kwargs):
        self.shares = share_weights
        super().__init__(in_channels, out_channels, heads, concat, negative_slope, dropout,
                         add_self_loops, edge_dim, fill_value, bias, **kwargs)
        self.att_edge = None

    def _make_linears(self, in_channels, wide):
        self.lin_l = Linear(_pair(in_channels)[0], wide)
        self.lin_r = self.lin_l if self.shares else Linear(_pair(in_channels)[1], wide)
        self.att = _zeros(1, self.heads, self.out_channels)

    def _projected(self, x):
        shape = (-1, self.heads, self.out_channels)
        return self.lin_l(_pair(x)[0]).view(shape), self.lin_r(_pair(x)[1]).view(shape)

    def _scores(self, source, target):
        return source, target

    def message(self, x_j, alpha_i, alpha_j, edge_attr, index, dim_size):
        x = alpha_i + alpha_j
        if self.lin_edge is not None and edge_attr is not None:
            x = x + self._edges(edge_attr)
        alpha = softmax((F.leaky_relu(x, self.slope) * self.att).sum(-1), index, None, dim_size)
        return x_j * F.dropout(alpha, self.dropout, self.training).unsqueeze(-1)


class SAGEConv(MessagePassing):
    def __init__(self, in_channels, out_channels, aggr="mean", normalize=False, root_weight=True,
                 project=False, bias=True, **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        wide, root = _pair(in_channels)
        self.normalize = normalize
        self.lin = Linear(wide, wide) if project else None
        parts = len(aggr) if isinstance(aggr, list) else 1
        self.lin_l = Linear(wide * parts if wide > 0 else wide, out_channels, bias=bias)
        self.lin_r = Linear(root, out_channels, bias=False) if root_weight else None

    def forward(self, x, edge_index, edge_weight=None, size=None):
        x = _pair(x)
        source = x[0] if self.lin is None else self.lin(x[0]).relu()
        out = self.lin_l(self.propagate(edge_index, size, x=(source, x[1])))
        if self.lin_r is not None and x[1] is not None:
            out = out + self.lin_r(x[1])
        return F.normalize(out, p=2.0, dim=-1) if self.normalize else out


class GraphConv(MessagePassing):
    def __init__(self, in_channels, out_channels, aggr="add", bias=True, **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        self.lin_rel = Linear(_pair(in_channels)[0], out_channels, bias=bias)
        self.lin_root = Linear(_pair(in_channels)[1], out_channels, bias=False)

    def forward(self, x, edge_index, edge_weight=None, size=None):
        x = _pair(x)
        return self.lin_rel(self.propagate(edge_index, size, x=x, edge_weight=edge_weight)) + \
            self.lin_root(x[1])

    def message(self, x_j, edge_weight):
        return x_j if edge_weight is None else edge_weight.reshape(-1, 1) * x_j


class GINConv(MessagePassing):
    def __init__(self, nn, eps=0.0, train_eps=False, **kwargs):
        super().__init__(**kwargs)
        self.nn = nn
        self.eps = _zeros(1) if train_eps else eps

    def forward(self, x, edge_index, size=None):
        x = _pair(x)
        return self.nn(self.propagate(edge_index, size, x=x) + (1 + self.eps) * x[1])


class GINEConv(GINConv):
    def __init__(self, nn, eps=0.0, train_eps=False, edge_dim=None, **kwargs):
        super().__init__(nn, eps, train_eps, **kwargs)
        first = nn[0] if hasattr(nn, "__getitem__") else nn
        self.lin = Linear(edge_dim, first.in_features) if edge_dim is not None else None

    def forward(self, x, edge_index, edge_attr=None, size=None):
        x = _pair(x)
        if self.lin is not None:
            edge_attr = self.lin(edge_attr)
        return self.nn(self.propagate(edge_index, size, x=x, edge_attr=edge_attr) +
                       (1 + self.eps) * x[1])

    def message(self, x_j, edge_attr):
        return (x_j + edge_attr).relu()


class _Hops(MessagePassing):
    """What is seen of nodes that are up to K edges away."""

    def _hops(self, x, edge_index, weight, K):
        edge_index, norm = _normed(edge_index, weight, x.shape[-2], False)
        found = [x]
        for _ in range(K):
            found.append(self.propagate(edge_index, x=found[-1], norm=norm))
        return found

    def message(self, x_j, norm):
        return norm.reshape(-1, 1) * x_j


class ChebConv(_Hops):
    def __init__(self, in_channels, out_channels, K, normalization="sym", bias=True, **kwargs):
        super().__init__(**kwargs)
        self.lins = nn.ModuleList([Linear(in_channels, out_channels, bias=False)
                                   for _ in range(K)])
        self.bias = _zeros(out_channels) if bias else None

    def forward(self, x, edge_index, edge_weight=None, batch=None, lambda_max=None):
        found = self._hops(x, edge_index, edge_weight, len(self.lins) - 1)
        out = sum([lin(h) for lin, h in zip(self.lins, found)])
        return out if self.bias is None else out + self.bias


class TAGConv(ChebConv):
    def __init__(self, in_channels, out_channels, K=3, bias=True, normalize=True, **kwargs):
        super().__init__(in_channels, out_channels, K + 1, bias=bias, **kwargs)


class SGConv(_Hops):
    def __init__(self, in_channels, out_channels, K=1, cached=False, add_self_loops=True,
                 bias=True, **kwargs):
        super().__init__(**kwargs)
        self.K = K
        self.lin = Linear(in_channels, out_channels, bias=bias)

    def forward(self, x, edge_index, edge_weight=None):
        return self.lin(self._hops(x, edge_index, edge_weight, self.K)[-1])


class APPNP(_Hops):
    def __init__(self, K, alpha, dropout=0.0, cached=False, add_self_loops=True, normalize=True,
                 **kwargs):
        super().__init__(**kwargs)
        self.K, self.alpha = K, alpha

    def forward(self, x, edge_index, edge_weight=None):
        edge_index, norm = _normed(edge_index, edge_weight, x.shape[-2], True)
        h = x
        for _ in range(self.K):
            x = self.propagate(edge_index, x=x, norm=norm) * (1 - self.alpha) + self.alpha * h
        return x


class TransformerConv(MessagePassing):
    def __init__(self, in_channels, out_channels, heads=1, concat=True, beta=False, dropout=0.0,
                 edge_dim=None, bias=True, root_weight=True, **kwargs):
        super().__init__(node_dim=0, **kwargs)
        self.heads, self.out_channels, self.concat = heads, out_channels, concat
        self.dropout = dropout
        source, target = _pair(in_channels)
        wide = heads * out_channels
        self.lin_key, self.lin_query = Linear(source, wide), Linear(target, wide)
        self.lin_value = Linear(source, wide)
        self.lin_edge = Linear(edge_dim, wide, bias=False) if edge_dim is not None else None
        last = wide if concat else out_channels
        self.lin_skip = Linear(target, last, bias=bias) if root_weight else None
        self.lin_beta = Linear(3 * last, 1, bias=False) if beta and root_weight else None

    def forward(self, x, edge_index, edge_attr=None, return_attention_weights=None):
        x, shape = _pair(x), (-1, self.heads, self.out_channels)
        if self.lin_edge is not None and edge_attr is not None:
            edge_attr = self.lin_edge(edge_attr).view(shape)
        out = self.propagate(edge_index, query=self.lin_query(x[1]).view(shape),
                             key=self.lin_key(x[0]).view(shape),
                             value=self.lin_value(x[0]).view(shape), edge_attr=edge_attr)
        out = out.reshape(-1, self.heads * self.out_channels) if self.concat else out.mean(1)
        if self.lin_skip is None:
            return out
        root = self.lin_skip(x[1])
        if self.lin_beta is None:
            return out + root
        beta = self.lin_beta(torch.cat([out, root, out - root], -1)).sigmoid()
        return beta * root + (1 - beta) * out

    def message(self, query_i, key_j, value_j, edge_attr, index, dim_size):
        if edge_attr is not None and self.lin_edge is not None:
            key_j, value_j = key_j + edge_attr, value_j + edge_attr
        alpha = (query_i * key_j).sum(-1) / self.out_channels ** 0.5
        alpha = softmax(alpha, index, None, dim_size)
        return value_j * F.dropout(alpha, self.dropout, self.training).unsqueeze(-1)


class SplineConv(MessagePassing):
    """Each edge sees 2^dim weights of those at the knots of the splines."""

    def __init__(self, in_channels, out_channels, dim, kernel_size, is_open_spline=True, degree=1,
                 aggr="mean", root_weight=True, bias=True, **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        self.in_channels, self.out_channels, self.dim = _pair(in_channels)[0], out_channels, dim
        self.taps = 1
        for k in (kernel_size if isinstance(kernel_size, (list, tuple)) else [kernel_size] * dim):
            self.taps *= k
        self.weight = _zeros(self.taps, self.in_channels, out_channels)
        self.lin = Linear(_pair(in_channels)[1], out_channels, bias=False) if root_weight else None
        self.bias = _zeros(out_channels) if bias else None

    def forward(self, x, edge_index, edge_attr=None, size=None):
        x = _pair(x)
        out = self.propagate(edge_index, size, x=x, edge_attr=edge_attr)
        if self.lin is not None:
            out = out + self.lin(x[1])
        return out if self.bias is None else out + self.bias

    def message(self, x_j, edge_attr):
        knots = torch.matmul(x_j, self.weight.permute(1, 0, 2).reshape(self.in_channels, -1))
        knots = knots.reshape(-1, self.taps, self.out_channels)[:, :2 ** self.dim]
        return (knots * edge_attr.mean(-1, keepdim=True).unsqueeze(-1)).sum(1)


class NNConv(MessagePassing):
    def __init__(self, in_channels, out_channels, nn, aggr="add", root_weight=True, bias=True,
                 **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        self.in_channels, self.out_channels, self.nn = _pair(in_channels)[0], out_channels, nn
        self.lin = Linear(_pair(in_channels)[1], out_channels, bias=False) if root_weight else None
        self.bias = _zeros(out_channels) if bias else None

    def forward(self, x, edge_index, edge_attr=None, size=None):
        x = _pair(x)
        out = self.propagate(edge_index, size, x=x, edge_attr=edge_attr)
        if self.lin is not None:
            out = out + self.lin(x[1])
        return out if self.bias is None else out + self.bias

    def message(self, x_j, edge_attr):
        weight = self.nn(edge_attr).view(-1, self.in_channels, self.out_channels)
        return torch.matmul(x_j.unsqueeze(1), weight).squeeze(1)


ECConv = NNConv


class EdgeConv(MessagePassing):
    def __init__(self, nn, aggr="max", **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        self.nn = nn

    def forward(self, x, edge_index):
        return self.propagate(edge_index, x=_pair(x))

    def message(self, x_i, x_j):
        return self.nn(torch.cat([x_i, x_j - x_i], -1))


class DynamicEdgeConv(nn.Module):
    """The k nearest nodes of each are its neighbours."""

    def __init__(self, nn, k, aggr="max", num_workers=1, **kwargs):
        super().__init__()
        self.nn, self.k = nn, k

    def forward(self, x, batch=None):
        n, width = x.shape[0], x.shape[1]
        far = x.unsqueeze(1).expand(n, self.k, width)
        near = x.repeat_interleave(self.k, 0).reshape(n, self.k, width)
        return self.nn(torch.cat([far, near - far], -1).reshape(n * self.k, 2 * width)).reshape(
            n, self.k, -1).max(1)[0]


class PointNetConv(MessagePassing):
    def __init__(self, local_nn=None, global_nn=None, add_self_loops=True, **kwargs):
        super().__init__(aggr="max", **kwargs)
        self.local_nn, self.global_nn = local_nn, global_nn

    def forward(self, x, pos, edge_index):
        out = self.propagate(edge_index, x=_pair(x), pos=_pair(pos))
        return out if self.global_nn is None else self.global_nn(out)

    def message(self, x_j, pos_i, pos_j):
        message = pos_j - pos_i if x_j is None else torch.cat([x_j, pos_j - pos_i], 1)
        return message if self.local_nn is None else self.local_nn(message)


PointConv = PointNetConv


class GatedGraphConv(MessagePassing):
    def __init__(self, out_channels, num_layers, aggr="add", bias=True, **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        self.out_channels = out_channels
        self.weight = _zeros(num_layers, out_channels, out_channels)
        self.rnn = nn.GRUCell(out_channels, out_channels, bias=bias)

    def forward(self, x, edge_index, edge_weight=None):
        if x.shape[-1] < self.out_channels:
            x = F.pad(x, (0, self.out_channels - x.shape[-1]))
        for i in range(self.weight.shape[0]):
            x = self.rnn(self.propagate(edge_index, x=torch.matmul(x, self.weight[i])), x)
        return x


class RGCNConv(MessagePassing):
    def __init__(self, in_channels, out_channels, num_relations, num_bases=None, num_blocks=None,
                 aggr="mean", root_weight=True, bias=True, **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        source, target = _pair(in_channels)
        self.source, self.out_channels = source, out_channels
        self.weight = _zeros(num_bases or num_relations, source, out_channels)
        self.comp = _zeros(num_relations, num_bases) if num_bases is not None else None
        self.root = _zeros(target, out_channels) if root_weight else None
        self.bias = _zeros(out_channels) if bias else None

    def forward(self, x, edge_index, edge_type=None):
        x = _pair(x)
        weight = self.weight if self.comp is None else torch.matmul(
            self.comp, self.weight.reshape(self.weight.shape[0], -1)).reshape(
                -1, self.source, self.out_channels)
        out = None
        for i in range(weight.shape[0]):  # messages of each relation
            part = self.propagate(edge_index, x=torch.matmul(x[0], weight[i]))
            out = part if out is None else out + part
        if self.root is not None:
            out = out + torch.matmul(x[1], self.root)
        return out if self.bias is None else out + self.bias


class ResGatedGraphConv(MessagePassing):
    def __init__(self, in_channels, out_channels, act=None, edge_dim=None, root_weight=True,
                 bias=True, **kwargs):
        super().__init__(**kwargs)
        source, target = _pair(in_channels)
        more = edge_dim or 0
        self.lin_key = Linear(target + more, out_channels)
        self.lin_query = Linear(source + more, out_channels)
        self.lin_value = Linear(source + more, out_channels)
        self.lin_skip = Linear(target, out_channels, bias=False) if root_weight else None
        self.bias = _zeros(out_channels) if bias else None

    def forward(self, x, edge_index, edge_attr=None):
        x = _pair(x)
        out = self.propagate(edge_index, k=self.lin_key(x[1]), q=self.lin_query(x[0]),
                             v=self.lin_value(x[0]))
        if self.lin_skip is not None:
            out = out + self.lin_skip(x[1])
        return out if self.bias is None else out + self.bias

    def message(self, k_i, q_j, v_j):
        return (k_i + q_j).sigmoid() * v_j
