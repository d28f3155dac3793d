"""Trees of containers, as jax.tree_util sees them."""

import _tilewise

_unk = _tilewise.is_unknown

REGISTRY = {}


class TreeDef:
    """How a tree is made: a kind, what its node needs, and the definitions of the children."""

    def __init__(self, kind, data, children):
        self.kind = kind
        self.data = data
        self._children = children
        n = 0
        for c in children:
            n += c.num_leaves
        self.num_leaves = 1 if kind == "leaf" else n
        self.num_nodes = 1

    def unflatten(self, leaves):
        return unflatten(self, leaves)

    def flatten_up_to(self, tree):
        return flatten_up_to(self, tree)

    def children(self):
        return self._children

    def node_data(self):
        return None if self.kind == "leaf" else (self.kind, self.data)

    def __eq__(self, other):
        return (isinstance(other, TreeDef) and self.kind == other.kind
                and self.data == other.data and self._children == other._children)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((str(self.kind), self.num_leaves))

    def __repr__(self):
        return "PyTreeDef(" + str(self.num_leaves) + " leaves)"


LEAF = TreeDef("leaf", None, [])
NONE = TreeDef("none", None, [])


def sorted_keys(d):
    try:
        return sorted(d)
    except TypeError:
        return list(d)


def _is_namedtuple(x):
    return isinstance(x, tuple) and hasattr(x, "_fields")


def _node(x):
    """Kind, data and children of `x`; None for a leaf."""
    if _unk(x):
        return None
    t = type(x)
    if t is dict:
        keys = sorted_keys(x)
        return "dict", keys, [x[k] for k in keys]
    if t is list:
        return "list", len(x), x
    if t is tuple:
        return "tuple", len(x), x
    entry = REGISTRY.get(t)
    if entry is None and hasattr(t, "__mro__"):
        for base in t.__mro__[1:]:
            if base in REGISTRY and REGISTRY[base][2]:
                entry = REGISTRY[base]
                break
    if entry is not None:
        children, data = entry[0](x)
        return t, data, list(children)
    if _is_namedtuple(x):
        return t, "namedtuple", list(x)
    if isinstance(x, dict):
        keys = list(x)
        return t, ("dict", keys), [x[k] for k in keys]
    if isinstance(x, (list, tuple)) and t.__name__ == "ListWrapper":
        return "list", len(x), list(x)
    return None


def _keys(x, kind, data, children):
    """What paths call the children of a node."""
    if kind == "dict":
        return [DictKey(k) for k in data]
    if data == "namedtuple":
        return [GetAttrKey(f) for f in x._fields]
    if isinstance(kind, type) and isinstance(data, tuple) and len(data) == 2 and data[0] == "dict":
        return [DictKey(k) for k in data[1]]
    entry = REGISTRY.get(kind) if isinstance(kind, type) else None
    if entry is not None and len(entry) > 3 and entry[3]:
        return [GetAttrKey(n) if isinstance(n, str) else n for n in entry[3](x)]
    make = FlattenedIndexKey if isinstance(kind, type) else SequenceKey
    return [make(i) for i in range(len(children))]


def _flatten(x, leaves, is_leaf, paths, path):
    if is_leaf is not None and is_leaf(x):
        leaves.append(x)
        if paths is not None:
            paths.append(path)
        return LEAF
    if x is None:
        return NONE
    node = _node(x)
    if node is None:
        leaves.append(x)
        if paths is not None:
            paths.append(path)
        return LEAF
    kind, data, children = node
    if paths is None:
        return TreeDef(kind, data, [_flatten(c, leaves, is_leaf, None, None) for c in children])
    keys = _keys(x, kind, data, children)
    return TreeDef(kind, data, [_flatten(c, leaves, is_leaf, paths, path + (k,))
                                for k, c in zip(keys, children)])


def flatten(tree, is_leaf=None):
    leaves = []
    return leaves, _flatten(tree, leaves, is_leaf, None, None)


def leaves(tree, is_leaf=None):
    out = []
    _flatten(tree, out, is_leaf, None, None)
    return out


def structure(tree, is_leaf=None):
    return flatten(tree, is_leaf)[1]


def flatten_with_path(tree, is_leaf=None):
    out = []
    paths = []
    d = _flatten(tree, out, is_leaf, paths, ())
    return list(zip(paths, out)), d


def leaves_with_path(tree, is_leaf=None):
    return flatten_with_path(tree, is_leaf)[0]


def _build(kind, data, children):
    if kind == "dict":
        return dict(zip(data, children))
    if kind == "list":
        return list(children)
    if kind == "tuple":
        return tuple(children)
    entry = REGISTRY.get(kind)
    if entry is None and hasattr(kind, "__mro__"):
        for base in kind.__mro__[1:]:
            if base in REGISTRY and REGISTRY[base][2]:
                entry = REGISTRY[base]
                return entry[2](kind, data, children)
    if entry is not None:
        return entry[1](data, children)
    if data == "namedtuple":
        return kind(*children)
    if isinstance(data, tuple) and data and data[0] == "dict":
        out = kind()
        for k, v in zip(data[1], children):
            out[k] = v
        return out
    return children


def unflatten(treedef, leaves):
    it = iter(leaves)
    return _unflatten(treedef, it)


def _unflatten(d, it):
    if d.kind == "leaf":
        return next(it)
    if d.kind == "none":
        return None
    return _build(d.kind, d.data, [_unflatten(c, it) for c in d._children])


def flatten_up_to(d, tree):
    out = []
    _up_to(d, tree, out)
    return out


def _up_to(d, tree, out):
    if d.kind == "leaf":
        out.append(tree)
        return
    if d.kind == "none":
        return
    if d.kind == "dict" and isinstance(tree, dict) or hasattr(tree, "keys") and d.kind == "dict":
        for k, c in zip(d.data, d._children):
            _up_to(c, tree[k], out)
        return
    node = _node(tree)
    if node is None:
        for c in d._children:
            _up_to(c, tree, out)
        return
    children = list(node[2])
    if len(children) != len(d._children):
        raise ValueError("trees of different structure: " + str(len(d._children)) + " and "
                         + str(len(children)) + " children")
    for c, v in zip(d._children, children):
        _up_to(c, v, out)


def map(function, tree, *rest, is_leaf=None):
    xs, d = flatten(tree, is_leaf)
    if not rest:
        return unflatten(d, [function(x) for x in xs])
    others = [flatten_up_to(d, r) for r in rest]
    return unflatten(d, [function(*v) for v in zip(xs, *others)])


def map_with_path(function, tree, *rest, is_leaf=None):
    pairs, d = flatten_with_path(tree, is_leaf)
    others = [flatten_up_to(d, r) for r in rest]
    out = []
    for i, (p, x) in enumerate(pairs):
        out.append(function(p, x, *[o[i] for o in others]))
    return unflatten(d, out)


def reduce(function, tree, *start, is_leaf=None, **named):
    xs = leaves(tree, is_leaf)
    initializer = start or list(named.values())  # initializer=
    if initializer:
        r = initializer[0]
    else:
        r = xs[0]
        xs = xs[1:]
    for x in xs:
        r = function(r, x)
    return r


def all(tree, is_leaf=None):
    for x in leaves(tree, is_leaf):
        if not x:
            return False
    return True


def transpose(outer, inner, tree):
    xs = leaves(tree)
    n = inner.num_leaves
    m = outer.num_leaves
    return unflatten(inner, [unflatten(outer, [xs[i * n + j] for i in range(m)])
                             for j in range(n)])


def broadcast_prefix(prefix, tree, is_leaf=None):
    out = []
    xs, d = flatten(prefix, is_leaf if is_leaf is not None else lambda v: v is None)
    for p, sub in zip(xs, flatten_up_to(d, tree)):
        out += [p] * len(leaves(sub))
    return out


class DictKey:
    def __init__(self, key):
        self.key = key

    def __str__(self):
        return "[" + repr(self.key) + "]"

    def __repr__(self):
        return "DictKey(key=" + repr(self.key) + ")"

    def __eq__(self, other):
        return isinstance(other, DictKey) and other.key == self.key

    def __hash__(self):
        return hash(self.key)


class SequenceKey:
    def __init__(self, idx):
        self.idx = idx

    def __str__(self):
        return "[" + str(self.idx) + "]"

    def __repr__(self):
        return "SequenceKey(idx=" + str(self.idx) + ")"

    def __eq__(self, other):
        return isinstance(other, SequenceKey) and other.idx == self.idx

    def __hash__(self):
        return hash(self.idx)


class GetAttrKey:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return "." + str(self.name)

    def __repr__(self):
        return "GetAttrKey(name=" + repr(self.name) + ")"

    def __eq__(self, other):
        return isinstance(other, GetAttrKey) and other.name == self.name

    def __hash__(self):
        return hash(self.name)


class FlattenedIndexKey:
    def __init__(self, key):
        self.key = key

    def __str__(self):
        return "[<flat index " + str(self.key) + ">]"

    def __eq__(self, other):
        return isinstance(other, FlattenedIndexKey) and other.key == self.key

    def __hash__(self):
        return hash(self.key)


def keystr(path, *, simple=False, separator=""):
    if simple:
        parts = []
        for k in path:
            for field in ("key", "idx", "name"):
                if hasattr(k, field):
                    parts.append(str(getattr(k, field)))
                    break
        return separator.join(parts)
    return separator.join(str(k) for k in path)


def register(cls, flatten_function, unflatten_function, base_build=None, names=None):
    """`base_build(cls, data, children)` also serves classes derived from `cls`."""
    REGISTRY[cls] = (flatten_function, unflatten_function, base_build, names)
    return cls
