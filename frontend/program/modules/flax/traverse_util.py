"""flax.traverse_util."""

import _tilewise as _t

from jax import _tree


class _EmptyNode:
    pass


empty_node = _EmptyNode()


def flatten_dict(xs, keep_empty_nodes=False, is_leaf=None, sep=None):
    if _t.is_unknown(xs):
        return xs
    out = {}

    def walk(d, path):
        if _t.is_unknown(d) or not isinstance(d, dict) and not (hasattr(d, "items") and hasattr(d, "keys")) \
                or is_leaf and is_leaf(path, d):
            out[path if sep is None else sep.join(path)] = d
            return
        if not d and keep_empty_nodes and path:
            out[path if sep is None else sep.join(path)] = empty_node
        for k in d:
            walk(d[k], path + (k,))
    walk(xs, ())
    return out


def unflatten_dict(xs, sep=None):
    if _t.is_unknown(xs):
        return xs
    out = {}
    for path in xs:
        v = xs[path]
        parts = path.split(sep) if sep is not None else path
        d = out
        for p in parts[:-1]:
            if p not in d:
                d[p] = {}
            d = d[p]
        d[parts[-1]] = {} if v is empty_node else v
    return out


def path_aware_map(f, nested_dict):
    flat = flatten_dict(nested_dict, keep_empty_nodes=True)
    return unflatten_dict({k: v if v is empty_node else f(k, v) for k, v in flat.items()})


class Traversal:
    def update(self, fn, inputs):
        return inputs


class ModelParamTraversal(Traversal):
    def __init__(self, filter_fn):
        self.filter_fn = filter_fn

    def update(self, fn, inputs):
        flat = flatten_dict(inputs)
        return unflatten_dict({k: fn(v) if self.filter_fn("/" + "/".join(k), v) else v
                               for k, v in flat.items()})

    def iterate(self, inputs):
        flat = flatten_dict(inputs)
        for k in flat:
            if self.filter_fn("/" + "/".join(k), flat[k]):
                yield flat[k]
