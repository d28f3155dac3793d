"""Graphs of OGB whose nodes have classes, with their published sizes."""

import numpy
import torch
from _tilewise_nothing import module
from torch_geometric._graphs import Data, inputs
from torch_geometric.data import InMemoryDataset

_other = module("ogb.nodeproppred")
# Nodes, edges, features, tasks, classes, nodes to train on.
_SIZES = {"ogbn-arxiv": (169343, 1166243, 128, 1, 40, 90941),
          "ogbn-products": (2449029, 123718280, 100, 1, 47, 196615),
          "ogbn-proteins": (132534, 79122504, 0, 112, 2, 86619)}


class PygNodePropPredDataset(InMemoryDataset):
    def __init__(self, name, root="dataset", transform=None, pre_transform=None):
        super().__init__(root, transform)
        self.name, self._sizes = name, _SIZES[name]
        self.num_tasks, self.num_classes = self._sizes[3], self._sizes[4]

    def len(self):
        return 1

    def get(self, index):
        nodes, edges, width, tasks, classes, _ = self._sizes
        made = Data(inputs([nodes, width], "f32") if width else None, inputs([2, edges], "s64"),
                    None if width else inputs([edges, 8], "f32"), inputs([nodes, tasks], "s64"))
        made.num_nodes, made._classes = nodes, classes
        if width == 0:
            made.node_species = inputs([nodes, 1], "s64")
        return made

    def get_idx_split(self, split_type=None):
        nodes, train = self._sizes[0], self._sizes[5]
        rest = (nodes - train) // 2
        return {k: inputs([n], "s64")
                for k, n in (("train", train), ("valid", rest), ("test", nodes - train - rest))}


class Evaluator:
    def __init__(self, name):
        self.name = name

    def eval(self, given):
        return {"acc": 0.5, "rocauc": 0.5}


def __getattr__(name):
    return _other(name)
