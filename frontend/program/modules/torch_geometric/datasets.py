"""Data sets of graphs with their published sizes."""

import _tilewise
from _tilewise_nothing import module
from ._graphs import Data, inputs
from .data import InMemoryDataset

_other = module("torch_geometric.datasets")

# Of one graph: nodes, edges of both directions, features, classes.
_SINGLE = {
    "cora": (2708, 10556, 1433, 7), "citeseer": (3327, 9104, 3703, 6),
    "pubmed": (19717, 88648, 500, 3), "computers": (13752, 491722, 767, 10),
    "photo": (7650, 238162, 745, 8), "cs": (18333, 163788, 6805, 15),
    "physics": (34493, 495924, 8415, 5), "reddit": (232965, 114615892, 602, 41),
    "reddit2": (232965, 23213838, 602, 41), "flickr": (89250, 899756, 500, 7),
    "yelp": (716847, 13954819, 300, 100), "wikics": (11701, 431726, 300, 10),
    "karateclub": (34, 156, 34, 4), "chameleon": (2277, 36101, 2325, 5),
    "squirrel": (5201, 217073, 2089, 5), "actor": (7600, 30019, 932, 5),
}
# Of many: graphs, nodes and edges of the mean one, features of nodes and edges, classes.
_MANY = {
    "mutag": (188, 18, 40, 7, 4, 2), "enzymes": (600, 33, 124, 3, 0, 6),
    "proteins": (1113, 39, 146, 3, 0, 2), "collab": (5000, 74, 4914, 0, 0, 3),
    "imdb-binary": (1000, 20, 193, 0, 0, 2), "imdb-multi": (1500, 13, 132, 0, 0, 3),
    "reddit-binary": (2000, 430, 996, 0, 0, 2), "nci1": (4110, 30, 65, 37, 0, 2),
    "dd": (1178, 284, 1431, 89, 0, 2), "ptc_mr": (344, 14, 29, 18, 4, 2),
    "qm9": (130831, 18, 37, 11, 4, 19), "ppi": (20, 2245, 61318, 50, 0, 121),
    "mnistsuperpixels": (60000, 75, 1393, 1, 0, 10), "modelnet10": (3991, 1024, 0, 0, 0, 10),
    "modelnet40": (9843, 1024, 0, 0, 0, 40), "shapenet": (12137, 2616, 0, 3, 0, 50),
    "mnist": (55000, 71, 565, 1, 1, 10), "cifar10": (45000, 118, 942, 3, 1, 10),
    "pattern": (10000, 119, 6099, 3, 0, 2), "cluster": (10000, 117, 4304, 7, 0, 6),
    "willowobjectclass": (256, 10, 46, 1024, 0, 10),
}
_POINTS = {"mnistsuperpixels": 2, "qm9": 3, "modelnet10": 3, "modelnet40": 3, "shapenet": 3,
           "willowobjectclass": 2, "mnist": 2, "cifar10": 2}
_OF_NODES = ("ppi", "shapenet", "pattern", "cluster")


class _One(InMemoryDataset):
    """A graph whose nodes have classes."""
    known = None

    def __init__(self, root=None, name=None, *args, transform=None, **kwargs):
        super().__init__(root, transform)
        key = (self.known or str(name)).lower()
        self.name = key
        if key not in _SINGLE:
            _tilewise.note("the sizes of the graph " + key + " are not known; those of Cora are "
                           "taken")
            key = "cora"
        self._sizes = _SINGLE[key]
        self.num_classes = self._sizes[3]
        self._made = None

    def len(self):
        return 1

    def get(self, index):
        if self._made is None:
            nodes, edges, width, classes = self._sizes
            self._made = Data(inputs([nodes, width], "f32"), inputs([2, edges], "s64"),
                              y=inputs([nodes], "s64"))
            for part in ("train_mask", "val_mask", "test_mask"):
                setattr(self._made, part, inputs([nodes], "pred"))
            self._made._classes = classes
        return self._made


class _Graphs(InMemoryDataset):
    """Graphs, of which the mean one stands for all."""
    known = None

    def __init__(self, root=None, name=None, *args, transform=None, **kwargs):
        super().__init__(root, transform)
        names = [str(v).lower() for v in (self.known, name) if v is not None]
        key = [n for n in names if n in _MANY][-1:]
        self.name = name
        if not key:
            _tilewise.note("the sizes of the graphs of " + str(names[-1] if names else "") +
                           " are not known; those of PROTEINS are taken")
        self.key = key[0] if key else "proteins"
        self._sizes = _MANY[self.key]
        self.num_classes = self._sizes[5]

    def len(self):
        return self._sizes[0]

    def get(self, index):
        n, nodes, edges, width, of_edges, classes = self._sizes
        y = inputs([nodes], "s64", 0) if self.key in _OF_NODES else inputs([1], "s64", 0)
        if self.key in ("ppi", "qm9"):
            y = inputs([nodes if self.key == "ppi" else 1, classes], "f32", 0)
        made = Data(inputs([nodes, width], "f32", 0) if width else None,
                    inputs([2, edges], "s64", 1) if edges else None,
                    inputs([edges, of_edges], "f32", 0) if of_edges else None, y,
                    inputs([nodes, _POINTS[self.key]], "f32", 0) if self.key in _POINTS else None)
        made._classes = classes
        if not width and self.key not in _POINTS:
            made.num_nodes = nodes
        if self.key == "qm9":
            made.z = inputs([nodes], "s64", 0)
        return made


class ZINC(InMemoryDataset):
    num_classes = 1

    def __init__(self, root=None, subset=False, split="train", transform=None, **kwargs):
        super().__init__(root, transform)
        self.subset = subset

    def len(self):
        return 10000 if self.subset else 220011

    def get(self, index):
        return Data(inputs([23, 1], "s64", 0), inputs([2, 50], "s64", 1), inputs([50], "s64", 0),
                    inputs([1], "f32", 0))


_NAMES = {"Planetoid": (_One, None), "CitationFull": (_One, None), "Amazon": (_One, None),
          "Coauthor": (_One, None), "Reddit": (_One, "reddit"), "Reddit2": (_One, "reddit2"),
          "Flickr": (_One, "flickr"), "Yelp": (_One, "yelp"), "WikiCS": (_One, "wikics"),
          "KarateClub": (_One, "karateclub"), "WikipediaNetwork": (_One, None),
          "Actor": (_One, "actor"), "TUDataset": (_Graphs, None), "QM9": (_Graphs, "qm9"),
          "PPI": (_Graphs, "ppi"), "MNISTSuperpixels": (_Graphs, "mnistsuperpixels"),
          "ShapeNet": (_Graphs, "shapenet"), "GNNBenchmarkDataset": (_Graphs, None),
          "WILLOWObjectClass": (_Graphs, "willowobjectclass")}


class ModelNet(_Graphs):
    def __init__(self, root=None, name="10", train=True, transform=None, *args, **kwargs):
        super().__init__(root, "modelnet" + str(name), transform=transform)


def __getattr__(name):
    if name not in _NAMES:
        return _other(name)
    kind, known = _NAMES[name]
    made = type(name, (kind,), {"known": known})
    globals()[name] = made
    return made
