"""Files of the citation graphs that most programs on graphs begin with, by their names: their sizes
are published, their numbers are not here."""

import numpy as np

# Nodes, features, classes and citations of NAME.content and NAME.cites (Sen et al. 2008).
_CITATIONS = {"cora": (2708, 1433, 7, 5429), "citeseer": (3312, 3703, 6, 4732)}
# Of ind.NAME.* (Yang et al. 2016): nodes, features, classes, labelled and tested nodes, and the
# links of both directions.
_SPLITS = {"cora": (2708, 1433, 7, 140, 1000, 10556), "citeseer": (3327, 3703, 6, 120, 1000, 9104),
           "pubmed": (19717, 500, 3, 60, 1000, 88648)}


class _Rows(np.ndarray):
    """A number for each node, its features, and the name of its class."""

    def __init__(self, nodes, features, classes):
        super().__init__([nodes, features + 2], np.float32)
        self._classes = classes

    def __getitem__(self, index):
        if isinstance(index, tuple) and len(index) == 2 and index[1] in (0, -1):
            n = self.shape[0]
            values = ["class " + str(i % self._classes) for i in range(n)] if index[1] else \
                list(range(n))
            return np.ndarray([n], np.int64, values)[index[0]]
        return super().__getitem__(index)


def table(path):
    """The rows of such a text file; None: it is none."""
    name, _, ending = str(path).rsplit("/", 1)[-1].rpartition(".")
    sizes = _CITATIONS.get(name)
    if sizes is None or ending not in ("content", "cites"):
        return None
    nodes, features, classes, links = sizes
    if ending == "content":
        return _Rows(nodes, features, classes)
    return np.ndarray([links, 2], np.int32, [i % nodes for i in range(2 * links)])


def pickled(path):
    """What such a pickle file holds; None: it is none."""
    from scipy.sparse import csr_matrix
    parts = str(path).rsplit("/", 1)[-1].split(".")
    if len(parts) != 3 or parts[0] != "ind" or parts[1] not in _SPLITS:
        return None
    nodes, features, classes, few, tests, links = _SPLITS[parts[1]]
    rows = {"x": few, "tx": tests, "allx": nodes - tests, "y": few, "ty": tests,
            "ally": nodes - tests}
    if parts[2] == "graph":
        each = -(-links // nodes)
        return {i: [(i + j + 1) % nodes for j in range(each)] for i in range(nodes)}
    if parts[2] not in rows:
        return None
    n = rows[parts[2]]
    return csr_matrix((n, features)) if "x" in parts[2] else np.ndarray([n, classes], np.int32)
