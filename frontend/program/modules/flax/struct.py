"""flax.struct."""

import dataclasses

from jax import _tree


def field(pytree_node=True, *, metadata=None, **kw):
    m = dict(metadata or {})
    m["pytree_node"] = pytree_node
    return dataclasses.field(metadata=m, **kw)


def _replace(self, **updates):
    return dataclasses.replace(self, **updates)


def _to_node(cls):
    names = dataclasses.fields(cls)
    data = [f.name for f in names if f.metadata.get("pytree_node", True)]
    static = [f.name for f in names if not f.metadata.get("pytree_node", True)]

    def flat(x):
        return [getattr(x, n) for n in data], tuple(getattr(x, n) for n in static)

    def back(rest, children):
        kw = dict(zip(data, children))
        kw.update(zip(static, rest))
        return cls(**kw)
    _tree.register(cls, flat, back, None, lambda x: data)
    cls.replace = _replace
    return cls


def dataclass(cls=None, **kw):
    if cls is None:
        return lambda c: dataclass(c, **kw)
    kw.pop("frozen", None)
    return _to_node(dataclasses.dataclass(cls, frozen=True, **kw))


class PyTreeNode:
    def __init_subclass__(cls, **kw):
        dataclass(cls, **kw)

    def replace(self, **updates):
        return dataclasses.replace(self, **updates)
