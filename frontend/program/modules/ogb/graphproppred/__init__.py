"""Data sets of OGB of many graphs, with their published sizes."""

from _tilewise_nothing import module
from torch_geometric._graphs import Data, inputs
from torch_geometric.data import InMemoryDataset

_other = module("ogb.graphproppred")
# Graphs, nodes and edges of the mean one, tasks, classes, what is told of a graph.
_SIZES = {"ogbg-molhiv": (41127, 26, 55, 1, 2, "binary classification", "rocauc"),
          "ogbg-molpcba": (437929, 26, 56, 128, 2, "binary classification", "ap"),
          "ogbg-moltox21": (7831, 19, 39, 12, 2, "binary classification", "rocauc"),
          "ogbg-molbace": (1513, 34, 74, 1, 2, "binary classification", "rocauc"),
          "ogbg-molbbbp": (2039, 24, 52, 1, 2, "binary classification", "rocauc"),
          "ogbg-molesol": (1128, 13, 27, 1, -1, "regression", "rmse"),
          "ogbg-ppa": (158100, 243, 4532, 1, 37, "multiclass classification", "acc"),
          "ogbg-code2": (452741, 125, 124, 1, -1, "subtoken prediction", "F1")}


class PygGraphPropPredDataset(InMemoryDataset):
    def __init__(self, name, root="dataset", transform=None, pre_transform=None):
        super().__init__(root, transform)
        self.name, self._sizes = name, _SIZES[name]
        self.num_tasks, self.num_classes = self._sizes[3], self._sizes[4]
        self.task_type, self.eval_metric = self._sizes[5], self._sizes[6]

    def len(self):
        return self._sizes[0]

    def get_idx_split(self, split_type=None):
        n = self._sizes[0]
        return {"train": range(n * 8 // 10), "valid": range(n // 10), "test": range(n // 10)}

    def __getitem__(self, index):
        return super().__getitem__(index) if isinstance(index, int) else self

    def get(self, index):
        graphs, nodes, edges, tasks, classes, kind, _ = self._sizes
        if self.name == "ogbg-ppa":
            made = Data(None, inputs([2, edges], "s64", 1), inputs([edges, 7], "f32", 0),
                        inputs([1, 1], "s64", 0))
            made.num_nodes = nodes
            return made
        molecule = "mol" in self.name
        made = Data(inputs([nodes, 9 if molecule else 2], "s64", 0),
                    inputs([2, edges], "s64", 1),
                    inputs([edges, 3], "s64", 0) if molecule else None,
                    inputs([1, tasks], "f32" if classes < 0 else "s64", 0))
        if not molecule:
            made.node_depth = inputs([nodes, 1], "s64", 0)
        return made


class Evaluator:
    def __init__(self, name):
        self.eval_metric = _SIZES[name][6] if name in _SIZES else "acc"
        self.expected_input_format = self.expected_output_format = ""

    def eval(self, given):
        return {self.eval_metric: 0.5}


def __getattr__(name):
    return _other(name)
