"""How layers send messages along edges, and what becomes of them at a node."""

import _python
import torch
from torch import nn
from torch_geometric.utils import scatter
from torch_sparse import edges_of


class MessagePassing(nn.Module):
    def __init__(self, aggr="add", flow="source_to_target", node_dim=-2, **kwargs):
        super().__init__()
        self.aggr, self.flow, self.node_dim = aggr, flow, node_dim

    def __call__(self, *args, **kwargs):
        return super().__call__(*[edges_of(a) for a in args],
                                **{k: edges_of(v) for k, v in kwargs.items()})

    def propagate(self, edge_index, size=None, **kwargs):
        edge_index = edges_of(edge_index)
        i, j = (1, 0) if self.flow == "source_to_target" else (0, 1)
        found = [v[-1] if isinstance(v, (tuple, list)) else v for v in kwargs.values()]
        nodes = [v.shape[self.node_dim] for v in found
                 if hasattr(v, "dim") and v.dim() >= -self.node_dim]
        count = size[i] if size is not None and size[i] is not None else nodes[0]
        special = {"index": edge_index[i], "ptr": None, "dim_size": count, "size": size,
                   "size_i": count, "size_j": count, "edge_index": edge_index,
                   "edge_index_i": edge_index[i], "edge_index_j": edge_index[j]}
        out = self.message(**self._taken(self.message, kwargs, special, edge_index, i, j))
        out = self.aggregate(out, **self._taken(self.aggregate, kwargs, special, edge_index, i, j,
                                                1))
        return self.update(out, **self._taken(self.update, kwargs, special, edge_index, i, j, 1))

    def _taken(self, function, given, special, edge_index, i, j, skip=0):
        """The arguments of a function, those at the ends of edges by their names."""
        taken = {}
        for row in _python.signature(function)[skip:]:
            name = row[0]
            if row[1][:4] == "var_":
                continue
            if name in special:
                taken[name] = special[name]
            elif name in given:
                taken[name] = given[name]
            elif name[-2:] in ("_i", "_j") and name[:-2] in given:
                value, end = given[name[:-2]], i if name[-2:] == "_i" else j
                if isinstance(value, (tuple, list)):
                    value = value[1 if name[-2:] == "_i" else 0]
                if value is not None:
                    value = value.index_select(self.node_dim if value.dim() > 1 else 0,
                                               edge_index[end])
                taken[name] = value
        return taken

    def message(self, x_j):
        return x_j

    def aggregate(self, inputs, index, dim_size=None):
        aggr = self.aggr if isinstance(self.aggr, (str, list)) else "add"
        kinds = aggr if isinstance(aggr, list) else [aggr]
        parts = [scatter(inputs, index, self.node_dim, dim_size,
                         k if k in ("add", "sum", "mean", "max", "min", "mul") else "sum")
                 for k in kinds]
        return parts[0] if len(parts) == 1 else torch.cat(parts, -1)

    def update(self, inputs):
        return inputs

    def reset_parameters(self):
        pass

    def jittable(self, *args):
        return self
