"""dm-tree."""

from jax import _tree


def map_structure(f, *trees, **kw):
    return _tree.map(f, *trees)


def map_structure_with_path(f, tree):
    return _tree.map_with_path(lambda p, x: f(tuple(
        getattr(k, "key", getattr(k, "idx", getattr(k, "name", None))) for k in p), x), tree)


def flatten(tree):
    return _tree.leaves(tree)


def flatten_with_path(tree):
    return [(tuple(getattr(k, "key", getattr(k, "idx", getattr(k, "name", None))) for k in p), x)
            for p, x in _tree.leaves_with_path(tree)]


def unflatten_as(structure, leaves):
    return _tree.unflatten(_tree.structure(structure), leaves)


def is_nested(x):
    return isinstance(x, (dict, list, tuple))


def assert_same_structure(*args, **kw):
    return None


def traverse(f, tree, top_down=True):
    return _tree.map(f, tree)
