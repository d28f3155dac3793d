"""networkx: graphs of known neighbours as sparse matrices; what else it has is not known."""

from _tilewise_nothing import module

__getattr__ = module("networkx")


class _Neighbours:
    def __init__(self, lists):
        self._lists = lists

    def number_of_nodes(self):
        return len(self._lists)

    def number_of_edges(self):
        return sum([len(near) for near in self._lists.values()]) // 2

    __len__ = number_of_nodes


def from_dict_of_lists(d, create_using=None):
    import _tilewise
    return d if _tilewise.is_unknown(d) else _Neighbours(d)


def adjacency_matrix(G, nodelist=None, dtype=None, weight="weight"):
    import _tilewise
    from scipy.sparse import spmatrix
    if not isinstance(G, _Neighbours):
        return G if _tilewise.is_unknown(G) else _tilewise.unknown("the edges of a graph")
    n = G.number_of_nodes()
    return spmatrix((n, n), 2 * G.number_of_edges(), dtype or "int64")


to_scipy_sparse_matrix = to_scipy_sparse_array = adjacency_matrix
