"""flax.core.frozen_dict."""

from jax import _tree


class FrozenDict(dict):
    """A dict that programs do not change."""

    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        for k in list(self):
            v = self[k]
            if isinstance(v, dict) and not isinstance(v, FrozenDict):
                dict.__setitem__(self, k, FrozenDict(v))

    def __setitem__(self, key, value):
        raise ValueError("FrozenDict is immutable.")

    @property
    def _dict(self):
        """What subclasses in programs read, whose arrays they may fill."""
        return unfreeze(self)

    def unfreeze(self):
        return unfreeze(self)

    def copy(self, add_or_replace=None):
        d = dict(self)
        d.update(add_or_replace or {})
        return FrozenDict(d)

    def pop(self, key):
        d = dict(self)
        v = d.pop(key)
        return FrozenDict(d), v

    def pretty_repr(self, num_spaces=4):
        return repr(dict(self))

    def __hash__(self):
        return id(self)


_tree.register(FrozenDict,
               lambda d: ([d[k] for k in _tree.sorted_keys(d)], _tree.sorted_keys(d)),
               lambda keys, c: FrozenDict(zip(keys, c)), None,
               lambda d: [_tree.DictKey(k) for k in _tree.sorted_keys(d)])


def freeze(xs):
    return FrozenDict(xs)


def unfreeze(x):
    if isinstance(x, dict):
        made = {k: unfreeze(v) for k, v in x.items()}
        return made if isinstance(x, FrozenDict) else type(x)(made)
    return x


def copy(x, add_or_replace=None):
    d = dict(x)
    d.update(add_or_replace or {})
    return type(x)(d)


def pop(x, key):
    d = dict(x)
    v = d.pop(key)
    return type(x)(d), v


def pretty_repr(x, num_spaces=4):
    return repr(x)
