"""Networks of such layers."""

import torch
from torch import nn
from torch.nn import functional as F
from torch_geometric.utils import negative_sampling
from .conv import GATConv, GCNConv, GINConv, SAGEConv
from .linear import Linear
from .pool import BatchNorm, JumpingKnowledge

__all__ = ["MLP", "GCN", "GraphSAGE", "GAT", "GIN", "GAE", "VGAE", "InnerProductDecoder",
           "Node2Vec"]


def _activation(act):
    if act is None or not isinstance(act, str):
        return act
    return {"relu": nn.ReLU, "elu": nn.ELU, "leaky_relu": nn.LeakyReLU, "gelu": nn.GELU,
            "tanh": nn.Tanh}.get(act, nn.ReLU)()


class MLP(nn.Module):
    def __init__(self, channel_list=None, in_channels=None, hidden_channels=None,
                 out_channels=None, num_layers=None, dropout=0.0, act="relu", norm="batch_norm",
                 plain_last=True, bias=True, **kwargs):
        super().__init__()
        if not isinstance(channel_list, (list, tuple)):
            in_channels = channel_list if in_channels is None else in_channels
            channel_list = [in_channels] + [hidden_channels] * (num_layers - 1) + [out_channels]
        self.lins = nn.ModuleList([Linear(a, b, bias=bias)
                                   for a, b in zip(channel_list[:-1], channel_list[1:])])
        inner = channel_list[1:-1] if plain_last else channel_list[1:]
        self.norms = nn.ModuleList([BatchNorm(c) if norm is not None else nn.Identity()
                                    for c in inner])
        self.act = _activation(act)
        self.dropout = dropout if isinstance(dropout, float) else 0.0
        self.in_features = channel_list[0]

    def forward(self, x, batch=None, **kwargs):
        for i, lin in enumerate(self.lins):
            x = lin(x)
            if i < len(self.norms):
                x = self.norms[i](x)
                x = x if self.act is None else self.act(x)
                x = F.dropout(x, self.dropout, self.training)
        return x


class _Network(nn.Module):
    def __init__(self, in_channels, hidden_channels, num_layers, out_channels=None, dropout=0.0,
                 act="relu", norm=None, jk=None, **kwargs):
        super().__init__()
        self.act, self.dropout = _activation(act), dropout
        last = out_channels if out_channels is not None and jk is None else hidden_channels
        widths = [in_channels] + [hidden_channels] * (num_layers - 1) + [last]
        self.convs = nn.ModuleList([self._conv(a, b, i == num_layers - 1, kwargs) for i, (a, b)
                                    in enumerate(zip(widths[:-1], widths[1:]))])
        count = num_layers if jk is not None else num_layers - 1
        self.norms = nn.ModuleList([BatchNorm(hidden_channels) for _ in range(count)]) \
            if norm is not None else None
        self.jk = self.lin = None
        if jk is not None:
            self.jk = JumpingKnowledge(jk, hidden_channels, num_layers)
            wide = num_layers * hidden_channels if jk == "cat" else hidden_channels
            self.lin = Linear(wide, out_channels) if out_channels is not None else None

    def forward(self, x, edge_index, *args, **kwargs):
        found = []
        for i, conv in enumerate(self.convs):
            x = conv(x, edge_index)
            if i < len(self.convs) - 1 or self.jk is not None:
                x = x if self.norms is None else self.norms[i](x)
                x = F.dropout(self.act(x) if self.act is not None else x, self.dropout,
                              self.training)
            found.append(x)
        if self.jk is None:
            return x
        x = self.jk(found)
        return x if self.lin is None else self.lin(x)


class GCN(_Network):
    def _conv(self, a, b, last, kwargs):
        return GCNConv(a, b, **kwargs)


class GraphSAGE(_Network):
    def _conv(self, a, b, last, kwargs):
        return SAGEConv(a, b, **kwargs)


class GAT(_Network):
    def _conv(self, a, b, last, kwargs):
        kwargs = {k: v for k, v in kwargs.items() if k != "v2"}
        heads = kwargs.get("heads", 1)
        if last or not kwargs.get("concat", True):
            return GATConv(a, b, **{**kwargs, "concat": False})
        return GATConv(a, b // heads, **kwargs)


class GIN(_Network):
    def _conv(self, a, b, last, kwargs):
        return GINConv(MLP([a, b, b], norm=None), **kwargs)


class InnerProductDecoder(nn.Module):
    def forward(self, z, edge_index, sigmoid=True):
        value = (z.index_select(0, edge_index[0]) * z.index_select(0, edge_index[1])).sum(1)
        return value.sigmoid() if sigmoid else value


class GAE(nn.Module):
    def __init__(self, encoder, decoder=None):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder or InnerProductDecoder()

    def forward(self, *args, **kwargs):
        return self.encoder(*args, **kwargs)

    encode = forward

    def decode(self, *args, **kwargs):
        return self.decoder(*args, **kwargs)

    def recon_loss(self, z, pos_edge_index, neg_edge_index=None):
        if neg_edge_index is None:
            neg_edge_index = negative_sampling(pos_edge_index)
        return -torch.log(self.decoder(z, pos_edge_index) + 1e-15).mean() - \
            torch.log(1 - self.decoder(z, neg_edge_index) + 1e-15).mean()


class VGAE(GAE):
    def encode(self, *args, **kwargs):
        self.mu, self.logstd = self.encoder(*args, **kwargs)
        return self.mu + torch.randn_like(self.logstd) * self.logstd.exp()

    def kl_loss(self, mu=None, logstd=None):
        mu = self.mu if mu is None else mu
        logstd = self.logstd if logstd is None else logstd
        return -0.5 * (1 + 2 * logstd - mu ** 2 - logstd.exp() ** 2).sum(1).mean()


class Node2Vec(nn.Module):
    """Walks of a batch of nodes, and as many random ones."""

    def __init__(self, edge_index, embedding_dim, walk_length, context_size, walks_per_node=1,
                 p=1.0, q=1.0, num_negative_samples=1, num_nodes=None, sparse=False):
        super().__init__()
        from torch_geometric.utils import nodes_of
        self.embedding = nn.Embedding(nodes_of(edge_index, num_nodes), embedding_dim)
        self.walks = walks_per_node * (walk_length + 1 - context_size + 1)
        self.context_size, self.negative = context_size, num_negative_samples

    def loader(self, batch_size=1, **kwargs):
        from torch.utils.data import DataLoader, TensorDataset
        n = self.context_size
        return DataLoader(TensorDataset(
            torch.zeros(self.embedding.num_embeddings, self.walks * n, dtype=torch.long),
            torch.zeros(self.embedding.num_embeddings, self.walks * n * self.negative,
                        dtype=torch.long)), batch_size=batch_size)

    def forward(self, batch=None):
        return self.embedding.weight if batch is None else self.embedding(batch)

    def loss(self, pos_rw, neg_rw):
        total = 0
        for walks, sign in ((pos_rw, 1), (neg_rw, -1)):
            h = self.embedding(walks.reshape(-1, self.context_size))
            total = total - torch.log(torch.sigmoid(sign * (h[:, :1] * h[:, 1:]).sum(-1)) +
                                      1e-15).mean()
        return total
