"""jax.tree_util."""

from functools import partial as _partial

from jax import _tree as _r
from jax._tree import (DictKey, SequenceKey, GetAttrKey, FlattenedIndexKey, keystr,
                       TreeDef as PyTreeDef)

tree_flatten = _r.flatten
tree_unflatten = _r.unflatten
tree_leaves = _r.leaves
tree_structure = _r.structure
tree_map = _r.map
tree_reduce = _r.reduce
tree_all = _r.all
tree_transpose = _r.transpose
tree_map_with_path = _r.map_with_path
tree_flatten_with_path = _r.flatten_with_path
tree_leaves_with_path = _r.leaves_with_path
tree_multimap = _r.map
KeyEntry = object
KeyPath = tuple


def treedef_is_leaf(d):
    return d.num_leaves == 1 and d.kind == "leaf"


def treedef_children(d):
    return d.children()


def treedef_tuple(ds):
    return _r.TreeDef("tuple", len(ds), list(ds))


def all_leaves(xs, is_leaf=None):
    return len(_r.leaves(list(xs), is_leaf)) == len(list(xs))


def build_tree(d, xs):
    return _r.unflatten(d, _r.leaves(xs))


def tree_broadcast(prefix, full, is_leaf=None):
    return _r.unflatten(_r.structure(full), _r.broadcast_prefix(prefix, full, is_leaf))


def register_pytree_node(cls, flatten_func, unflatten_func, flatten_with_keys_func=None):
    _r.register(cls, flatten_func, unflatten_func)


def register_pytree_with_keys(cls, flatten_with_keys, unflatten_func, flatten_func=None):
    def flat(x):
        pairs, data = flatten_with_keys(x)
        return [v for _, v in pairs], data

    def names(x):
        return [k for k, _ in flatten_with_keys(x)[0]]

    _r.register(cls, flat, unflatten_func, None, names)


def register_pytree_node_class(cls):
    _r.register(cls, lambda x: x.tree_flatten(), cls.tree_unflatten)
    return cls


def register_pytree_with_keys_class(cls):
    register_pytree_with_keys(cls, lambda x: x.tree_flatten_with_keys(), cls.tree_unflatten)
    return cls


def register_dataclass(cls=None, data_fields=None, meta_fields=None, drop_fields=()):
    if cls is None:
        return lambda c: register_dataclass(c, data_fields, meta_fields)
    import dataclasses
    if data_fields is None:
        fields = dataclasses.fields(cls)
        data_fields = [f.name for f in fields if not f.metadata.get("static", False)]
        meta_fields = [f.name for f in fields if f.metadata.get("static", False)]

    def flat(x):
        return [getattr(x, n) for n in data_fields], tuple(getattr(x, n) for n in meta_fields)

    def back(data, children):
        kw = dict(zip(data_fields, children))
        kw.update(zip(meta_fields, data))
        return cls(**kw)

    _r.register(cls, flat, back, None, lambda x: list(data_fields))
    return cls


def register_static(cls):
    _r.register(cls, lambda x: ([], x), lambda data, children: data)
    return cls


class Partial(_partial):
    pass
