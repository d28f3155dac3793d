"""Graphs become rows: sums over their nodes. And norms of nodes."""

import torch
from torch import nn
from torch_geometric.utils import batch_count, scatter, softmax

__all__ = ["global_add_pool", "global_mean_pool", "global_max_pool", "GlobalAttention",
           "AttentionalAggregation", "Set2Set", "TopKPooling", "SAGPooling", "BatchNorm",
           "LayerNorm", "GraphNorm", "InstanceNorm", "PairNorm", "GraphSizeNorm", "MessageNorm",
           "JumpingKnowledge", "knn_graph", "radius_graph", "knn", "radius", "fps"]


def _pool(x, batch, size, kind):
    if batch is None:
        return scatter(x, torch.zeros(x.shape[0], dtype=torch.long), 0, 1, kind)
    return scatter(x, batch, 0, size or batch_count(batch), kind)


def global_add_pool(x, batch=None, size=None):
    return _pool(x, batch, size, "sum")


def global_mean_pool(x, batch=None, size=None):
    return _pool(x, batch, size, "mean")


def global_max_pool(x, batch=None, size=None):
    return _pool(x, batch, size, "max")


class GlobalAttention(nn.Module):
    def __init__(self, gate_nn, nn=None):
        super().__init__()
        self.gate_nn, self.nn = gate_nn, nn

    def forward(self, x, batch=None, size=None, **kwargs):
        n = size or batch_count(batch)
        gate = softmax(self.gate_nn(x), batch, None, n)
        return scatter(gate * (x if self.nn is None else self.nn(x)), batch, 0, n)


AttentionalAggregation = GlobalAttention


class Set2Set(nn.Module):
    def __init__(self, in_channels, processing_steps, num_layers=1, **kwargs):
        super().__init__()
        self.steps, self.width = processing_steps, in_channels
        self.lstm = nn.LSTM(2 * in_channels, in_channels, num_layers)
        self.layers = num_layers

    def forward(self, x, batch=None, *args, **kwargs):
        n = batch_count(batch)
        state = (x.new_zeros(self.layers, n, self.width), x.new_zeros(self.layers, n, self.width))
        q = x.new_zeros(n, 2 * self.width)
        for _ in range(self.steps):
            out, state = self.lstm(q.unsqueeze(0), state)
            out = out.reshape(n, self.width)
            a = softmax((x * out.index_select(0, batch)).sum(-1, keepdim=True), batch, None, n)
            q = torch.cat([out, scatter(a * x, batch, 0, n)], -1)
        return q


class TopKPooling(nn.Module):
    """The nodes of each graph with the largest scores: a share of them."""

    def __init__(self, in_channels, ratio=0.5, min_score=None, multiplier=1.0,
                 nonlinearity="tanh"):
        super().__init__()
        self.ratio = ratio
        self.weight = nn.Parameter(torch.zeros(1, in_channels))

    def _score(self, x, edge_index):
        return (x * self.weight).sum(-1)

    def forward(self, x, edge_index, edge_attr=None, batch=None, attn=None):
        score = self._score(x, edge_index).tanh()
        n = batch_count(batch) if batch is not None else 1
        keep = max(int(x.shape[0] // n * self.ratio), 1) * n
        score, kept = score.topk(keep)
        x = x.index_select(0, kept) * score.unsqueeze(-1)
        batch = None if batch is None else batch.index_select(0, kept)
        return x, edge_index.clamp(max=keep - 1), edge_attr, batch, kept, score


class SAGPooling(TopKPooling):
    def __init__(self, in_channels, ratio=0.5, GNN=None, min_score=None, multiplier=1.0,
                 nonlinearity="tanh", **kwargs):
        from .conv import GraphConv
        nn.Module.__init__(self)
        self.ratio = ratio
        self.gnn = (GNN or GraphConv)(in_channels, 1, **kwargs)

    def _score(self, x, edge_index):
        return self.gnn(x, edge_index).reshape(-1)


class BatchNorm(nn.Module):
    def __init__(self, in_channels, eps=1e-5, momentum=0.1, affine=True, *args, **kwargs):
        super().__init__()
        self.module = nn.BatchNorm1d(in_channels, eps, momentum, affine)

    def forward(self, x):
        return self.module(x)

    def reset_parameters(self):
        pass


class LayerNorm(nn.LayerNorm):
    def __init__(self, in_channels, eps=1e-5, affine=True, mode="graph"):
        super().__init__(in_channels, eps, affine)

    def forward(self, x, batch=None, batch_size=None):
        return super().forward(x)


class GraphNorm(nn.LayerNorm):
    def __init__(self, in_channels, eps=1e-5):
        super().__init__(in_channels, eps)
        self.mean_scale = nn.Parameter(torch.ones(in_channels))

    def forward(self, x, batch=None, batch_size=None):
        return super().forward(x * self.mean_scale)


class InstanceNorm(nn.Module):
    def __init__(self, in_channels, *args, **kwargs):
        super().__init__()
        self.width = in_channels

    def forward(self, x, batch=None, *args):
        return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-5)


class PairNorm(InstanceNorm):
    def __init__(self, *args, **kwargs):
        super().__init__(0)


GraphSizeNorm = PairNorm


class MessageNorm(nn.Module):
    def __init__(self, learn_scale=False):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1)) if learn_scale else 1.0

    def forward(self, x, msg, p=2.0):
        return msg / (msg.norm(dim=-1, keepdim=True) + 1e-5) * x.norm(dim=-1, keepdim=True) * \
            self.scale


class JumpingKnowledge(nn.Module):
    def __init__(self, mode, channels=None, num_layers=None):
        super().__init__()
        self.mode = mode
        if mode == "lstm":
            self.lstm = nn.LSTM(channels, num_layers * channels // 2, bidirectional=True,
                                batch_first=True)
            self.att = nn.Linear(2 * (num_layers * channels // 2), 1)

    def forward(self, xs):
        if self.mode == "cat":
            return torch.cat(xs, -1)
        x = torch.stack(xs, -1)
        if self.mode == "max":
            return x.max(-1)[0]
        x = torch.stack(xs, 1)
        alpha = self.att(self.lstm(x)[0]).squeeze(-1).softmax(-1)
        return (x * alpha.unsqueeze(-1)).sum(1)

    def reset_parameters(self):
        pass


def knn_graph(x, k, batch=None, *args, **kwargs):
    """Which nodes are near is computed of all pairs; k of each are kept."""
    near = torch.cdist(x, x).topk(k, largest=False)[1].reshape(1, -1)
    return torch.cat([near, torch.arange(x.shape[0]).repeat_interleave(k).unsqueeze(0)], 0)


def radius_graph(x, r, batch=None, loop=False, max_num_neighbors=32, *args, **kwargs):
    return knn_graph(x, min(max_num_neighbors, max(x.shape[0] - 1, 1)))


def knn(x, y, k, *args, **kwargs):
    near = torch.cdist(y, x).topk(k, largest=False)[1].reshape(1, -1)
    return torch.cat([torch.arange(y.shape[0]).repeat_interleave(k).unsqueeze(0), near], 0)


def radius(x, y, r, batch_x=None, batch_y=None, max_num_neighbors=32, *args, **kwargs):
    return knn(x, y, min(max_num_neighbors, x.shape[0]))


def fps(x, batch=None, ratio=0.5, *args, **kwargs):
    return torch.arange(max(int(x.shape[0] * ratio), 1))
