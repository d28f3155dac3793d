"""Transforms leave the sizes of graphs as they are."""

from ._graphs import inputs


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, data):
        for transform in self.transforms:
            data = transform(data)
        return data


class BaseTransform:
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, data):
        return data

    forward = __call__


class Constant(BaseTransform):
    def __call__(self, data):
        data.x = inputs([data.num_nodes, 1], "f32", 0)
        return data


class OneHotDegree(BaseTransform):
    def __init__(self, max_degree, in_degree=False, cat=True):
        self.width = max_degree + 1

    def __call__(self, data):
        data.x = inputs([data.num_nodes, self.width], "f32", 0)
        return data


class Cartesian(BaseTransform):
    """Positions of neighbours become attributes of edges."""

    def __call__(self, data):
        if data.edge_attr is None:
            width = data.pos.shape[1] if data.pos is not None else 2
            data.edge_attr = inputs([data.num_edges, width], "f32", 0)
        return data


class ToSparseTensor(BaseTransform):
    def __call__(self, data):
        from torch_sparse import SparseTensor
        data.adj_t = SparseTensor(row=data.edge_index[1], col=data.edge_index[0],
                                  sparse_sizes=(data.num_nodes, data.num_nodes))
        return data


class Distance(BaseTransform):
    def __call__(self, data):
        if data.edge_attr is None:
            data.edge_attr = inputs([data.num_edges, 1], "f32", 0)
        return data


class KNNGraph(BaseTransform):
    def __init__(self, k=6, *args, **kwargs):
        self.k = k

    def __call__(self, data):
        data.edge_index = inputs([2, data.num_nodes * self.k], "s64", 1)
        return data


class SamplePoints(BaseTransform):
    def __init__(self, num, *args, **kwargs):
        self.num = num

    def __call__(self, data):
        data.pos, data.face = inputs([self.num, 3], "f32", 0), None
        return data


FixedPoints = SamplePoints


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    return BaseTransform
