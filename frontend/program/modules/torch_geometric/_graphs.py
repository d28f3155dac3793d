"""A graph, and batches of graphs, as inputs of the step."""

import _tilewise
from torch._tensor import Tensor, wrap

# The first dim, but for edges: theirs is the second one.
_EDGES = ("edge_index", "face")


def inputs(shape, code, at=None):
    """Numbers of a graph, which nobody knows; `at`: the dim that grows with the examples."""
    x = wrap(_tilewise.input(list(shape), code, "", at))
    x._batch = at
    return x


class Data:
    """A graph: what it holds are attributes."""
    x = edge_index = edge_attr = y = pos = batch = ptr = adj_t = None
    num_graphs = 1

    def __init__(self, x=None, edge_index=None, edge_attr=None, y=None, pos=None, **kwargs):
        self._classes = None
        for name, value in [("x", x), ("edge_index", edge_index), ("edge_attr", edge_attr),
                            ("y", y), ("pos", pos)] + list(kwargs.items()):
            if value is not None:
                setattr(self, name, value)

    def _items(self):
        return [(k, v) for k, v in self.__dict__.items() if k[:1] != "_" and v is not None]

    @property
    def num_nodes(self):
        for value in (self.x, self.pos, self.batch):
            if value is not None:
                return value.shape[0]
        return self.__dict__.get("_nodes")

    @num_nodes.setter
    def num_nodes(self, value):
        self.__dict__["_nodes"] = value

    @property
    def num_edges(self):
        return 0 if self.edge_index is None else self.edge_index.shape[1]

    @property
    def num_node_features(self):
        return 0 if self.x is None else 1 if self.x.dim() == 1 else self.x.shape[1]

    num_features = num_node_features

    @property
    def num_edge_features(self):
        return 0 if self.edge_attr is None else \
            1 if self.edge_attr.dim() == 1 else self.edge_attr.shape[1]

    @property
    def num_classes(self):
        return self._classes

    @property
    def keys(self):
        return [k for k, _ in self._items()]

    def __getitem__(self, name):
        return getattr(self, name)

    def __setitem__(self, name, value):
        setattr(self, name, value)

    def __contains__(self, name):
        return getattr(self, name, None) is not None

    def __iter__(self):
        return iter(self._items())

    def to(self, *args, **kwargs):
        return self

    cuda = cpu = contiguous = coalesce = clone = pin_memory = to

    def to_dict(self):
        return dict(self._items())

    def to_data_list(self):
        return [self] * self.num_graphs

    def is_undirected(self):
        return True

    def validate(self, raise_on_error=True):
        return True

    def has_isolated_nodes(self):
        return False

    has_self_loops = contains_isolated_nodes = contains_self_loops = has_isolated_nodes

    def size(self, dim=None):
        return (self.num_nodes, self.num_nodes) if dim is None else self.num_nodes


class Batch(Data):
    @classmethod
    def from_data_list(cls, graphs, follow_batch=None, exclude_keys=None):
        return batch_of(graphs[0], len(graphs), follow_batch)


def _grown(name, value, n):
    if _tilewise.is_unknown(value) or not isinstance(value, Tensor):
        if isinstance(value, bool) or type(value) not in (int, float):
            return value
        return inputs([n], "s64" if type(value) is int else "f32", 0)
    shape = list(value.shape) or [1]
    at = len(shape) - 1 if name in _EDGES or name.endswith("_index") else 0
    shape[at] *= n
    return inputs(shape, _tilewise.dtype(value._h), at)


def batch_of(graph, n, follow=None):
    """n graphs as one that has no edges between them."""
    made = Batch()
    for name, value in graph._items():
        setattr(made, name, _grown(name, value, n))
    made._classes, made.num_graphs, made.batch_size = graph._classes, n, n
    if graph.num_nodes is not None:
        made.batch = inputs([graph.num_nodes * n], "s64", 0)
        made.ptr = inputs([n + 1], "s64")
    for name in follow or []:
        value = getattr(graph, name, None)
        if value is not None:
            setattr(made, name + "_batch", inputs([value.shape[0] * n], "s64", 0))
    return made
