"""Loaders of graphs, and of parts of one graph."""

import _tilewise
from torch._tensor import record_batch, state
from torch.utils import data as _torch
from _tilewise_nothing import module
from ._graphs import Data, batch_of, inputs

_other = module("torch_geometric.loader")


class DataLoader(_torch.DataLoader):
    def __init__(self, dataset, batch_size=1, shuffle=False, follow_batch=None, exclude_keys=None,
                 **kwargs):
        kwargs.pop("collate_fn", None)
        super().__init__(dataset, batch_size, shuffle, **kwargs)
        self.follow_batch = follow_batch

    def _batch(self):
        if not state.stepped:
            _tilewise.record("loader_batch", made=self)
            state.loaded = self.batch_size
            record_batch(self.batch_size, "DataLoader")
            size = len(self.dataset)
            if not _tilewise.is_unknown(size) and size not in (1, 1000):
                _tilewise.record("dataset_size", size=size)
        graph = self.dataset[0]
        if not isinstance(graph, Data):
            return _torch.batched(graph, self.batch_size) if not isinstance(graph, (tuple, list)) \
                else [batch_of(g, self.batch_size) for g in graph]
        return batch_of(graph, self.batch_size, self.follow_batch)


DataListLoader = DenseDataLoader = DataLoader


class NeighborLoader(_torch.DataLoader):
    """Some nodes with neighbours around them, as many as there are at most."""

    def __init__(self, data, num_neighbors, input_nodes=None, batch_size=1, **kwargs):
        for name in ("replace", "directed", "transform", "subgraph_type", "filter_per_worker",
                     "disjoint", "is_sorted", "input_time", "time_attr"):
            kwargs.pop(name, None)
        super().__init__(data, batch_size, **kwargs)
        self.graph, self.num_neighbors = data, num_neighbors

    def __len__(self):
        return -(-self.graph.num_nodes // self.batch_size)

    def _batch(self):
        if not state.stepped:
            _tilewise.record("loader_batch", made=self)
            state.loaded = self.batch_size
            record_batch(self.batch_size, "NeighborLoader")
        layer = edges = self.batch_size
        nodes, edges = layer, 0
        for n in self.num_neighbors:
            # All of them are as many as a node of this graph has.
            n = n if n > 0 else -(-self.graph.num_edges // self.graph.num_nodes)
            layer *= n
            nodes, edges = nodes + layer, edges + layer
        _tilewise.note("how many neighbours of the nodes are met twice is not known; " +
                       str(nodes // self.batch_size) + " nodes for each are taken, the most")
        made = Data()
        for name, value in self.graph._items():
            if hasattr(value, "shape") and len(value.shape):
                shape = list(value.shape)
                shape[1 if name == "edge_index" else 0] = \
                    edges if name.startswith("edge_") else nodes
                value = inputs(shape, _tilewise.dtype(value._h))
            setattr(made, name, value)
        made._classes, made.batch_size = self.graph._classes, self.batch_size
        made.n_id = inputs([nodes], "s64")
        return made


class ClusterData:
    def __init__(self, data, num_parts, *args, **kwargs):
        self.data, self.num_parts = data, num_parts


class ClusterLoader(_torch.DataLoader):
    """Parts of a graph, as large as the mean."""

    def __init__(self, cluster_data, batch_size=1, **kwargs):
        super().__init__(cluster_data, batch_size, **kwargs)
        self.clusters = cluster_data

    def __len__(self):
        return -(-self.clusters.num_parts // self.batch_size)

    def _batch(self):
        graph, parts = self.clusters.data, self.clusters.num_parts
        if not state.stepped:
            state.loaded = self.batch_size
            record_batch(self.batch_size, "ClusterLoader")
        made = Data()
        for name, value in graph._items():
            if hasattr(value, "shape") and len(value.shape):
                shape = list(value.shape)
                at = 1 if name == "edge_index" else 0
                shape[at] = max(shape[at] // parts, 1) * self.batch_size
                value = inputs(shape, _tilewise.dtype(value._h))
            setattr(made, name, value)
        made._classes = graph._classes
        return made


def __getattr__(name):
    return _other(name)
