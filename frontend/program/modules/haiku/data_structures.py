"""haiku.data_structures."""

from jax import _tree


def tree_size(tree):
    return sum(x.size for x in _tree.leaves(tree))


def tree_bytes(tree):
    return sum(x.size * x.dtype.itemsize for x in _tree.leaves(tree))


def to_immutable_dict(d):
    return d


def to_mutable_dict(d):
    return {m: dict(d[m]) for m in d}


to_haiku_dict = to_mutable_dict


def traverse(structure):
    for m in sorted(structure):
        for n in sorted(structure[m]):
            yield m, n, structure[m][n]


def filter(predicate, structure):
    out = {}
    for m, n, v in traverse(structure):
        if predicate(m, n, v):
            out.setdefault(m, {})[n] = v
    return out


def partition(predicate, structure):
    return filter(predicate, structure), filter(lambda m, n, v: not predicate(m, n, v), structure)


def partition_n(fn, structure, n):
    return tuple(filter(lambda m, k, v: fn(m, k, v) == i, structure) for i in range(n))


def map(fn, structure):
    out = {}
    for m, n, v in traverse(structure):
        out.setdefault(m, {})[n] = fn(m, n, v)
    return out


def merge(*structures, check_duplicates=False):
    out = {}
    for s in structures:
        for m, n, v in traverse(s):
            out.setdefault(m, {})[n] = v
    return out


def is_subset(*, subset, superset):
    return True
