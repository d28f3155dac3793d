"""Graphs, data sets of graphs."""

from torch.utils.data import Dataset as _Dataset
from _tilewise_nothing import module
from ._graphs import Batch, Data

_other = module("torch_geometric.data")


class Dataset(_Dataset):
    """A program's own data set gives its graphs with get()."""

    def __init__(self, root=None, transform=None, pre_transform=None, pre_filter=None,
                 log=True, force_reload=False):
        self.root, self.transform, self.pre_transform = root, transform, pre_transform
        self._data_list = None

    @property
    def processed_paths(self):
        return [str(self.root) + "/processed/" + n for n in self._names(self.processed_file_names)]

    @property
    def raw_paths(self):
        return [str(self.root) + "/raw/" + n for n in self._names(self.raw_file_names)]

    @property
    def processed_dir(self):
        return str(self.root) + "/processed"

    @property
    def raw_dir(self):
        return str(self.root) + "/raw"

    processed_file_names = raw_file_names = ["data.pt"]

    def _names(self, names):
        names = names() if callable(names) else names
        return [names] if isinstance(names, str) else list(names)

    def len(self):
        return 1000

    def __len__(self):
        return self.len()

    def __getitem__(self, index):
        if not isinstance(index, int) and not _is_number(index):
            return self
        data = self.get(index)
        return data if self.transform is None else self.transform(data)

    def shuffle(self, return_perm=False):
        return self

    index_select = copy = __getitem__

    @property
    def num_node_features(self):
        return self[0].num_node_features

    num_features = num_node_features

    @property
    def num_edge_features(self):
        return self[0].num_edge_features


def _is_number(index):
    import _tilewise
    return _tilewise.is_unknown(index)


class InMemoryDataset(Dataset):
    @property
    def data(self):
        return self[0]

    _data = data


def __getattr__(name):
    if name in ("DataLoader", "NeighborSampler", "ClusterData", "ClusterLoader"):
        from torch_geometric import loader
        return getattr(loader, name)
    return _other(name)
