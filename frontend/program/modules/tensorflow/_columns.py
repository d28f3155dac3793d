"""Columns of features: what each makes of the data, and the weights that it needs."""

import _tilewise as _t
from tensorflow._tensor import Tensor, handle, wrap

_unk = _t.is_unknown


def _product(sizes):
    n = 1
    for s in sizes:
        n = n * s
    return n


def rows_of(value):
    """How many examples a feature has."""
    sizes = getattr(value, "_sizes", None)
    if sizes is None:
        sizes = list(_t.shape(handle(value)))
    return sizes[0] if sizes else 1


def _floats(h):
    return h if _t.dtype(h) == "f32" else _t.op("tw.convert", [h], {"dtype": "f32"})


class Column:
    """`key` of its feature; `width` of the row that it makes."""
    categorical = False

    def wants(self):
        """(name, shape) of each weight that its row needs."""
        return []


class Numeric(Column):
    def __init__(self, key, shape=(1,), default_value=None, dtype=None, normalizer_fn=None):
        self.key = self.name = key
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype, self.normalizer_fn = dtype, normalizer_fn
        self.default_value = default_value
        self.width = _product(self.shape)

    def row(self, features, held):
        value = features[self.key]
        if _unk(value):
            return value
        if self.normalizer_fn is not None and isinstance(value, Tensor):
            value = self.normalizer_fn(value)
            if _unk(value):
                return value
        h = _floats(handle(value))
        return _t.op("tw.reshape", [h], {"shape": [_t.shape(h)[0] if _t.shape(h) else 1,
                                                   self.width]})


class Categorical(Column):
    """A feature of so many kinds."""
    categorical = True

    def __init__(self, key, buckets, name=None, is_text=False):
        self.key, self.buckets, self.name = key, buckets, name or str(key)
        self.num_buckets = buckets
        self.number = 1         # kinds that an example has
        self.is_text = is_text

    def ids(self, features):
        """[examples, kinds of one] of numbers below `buckets`."""
        value = features[self.key]
        if _unk(value):
            return value
        return _t.input([rows_of(value), self.number], "s32", self.name, 0)

    def row(self, features, held):
        raise ValueError("a categorical column needs an indicator or an embedding: " + self.name)


class Bucketized(Categorical):
    """A number, by the bounds between which it is; it may be a row as it is."""

    def __init__(self, source_column, boundaries):
        n = _t.unknown("how many bounds a column has") if _unk(boundaries) else \
            len(boundaries) + 1
        Categorical.__init__(self, source_column.key, n, str(source_column.name) + "_bucketized")
        self.source_column = source_column
        self.number = source_column.width
        self.width = n * self.number
        if self.number != 1:
            self.num_buckets = self.width

    def row(self, features, held):
        return Indicator(self).row(features, held)


class Crossed(Categorical):
    def __init__(self, keys, hash_bucket_size, hash_key=None):
        self.keys = list(keys)
        names = [k if isinstance(k, str) else str(k.name) for k in self.keys]
        Categorical.__init__(self, None, hash_bucket_size, "_X_".join(sorted(names)))

    def ids(self, features):
        first = self.keys[0]
        key = first if isinstance(first, str) else first.key
        while key is None:
            first = first.keys[0]
            key = first if isinstance(first, str) else first.key
        value = features[key]
        return value if _unk(value) else _t.input([rows_of(value), 1], "s32", self.name, 0)


class Weighted(Categorical):
    def __init__(self, categorical_column, weight_feature_key, dtype=None):
        self.inner = categorical_column
        Categorical.__init__(self, categorical_column.key, categorical_column.buckets,
                             categorical_column.name + "_weighted_by_" + str(weight_feature_key))

    def ids(self, features):
        return self.inner.ids(features)


class Indicator(Column):
    """One place for each kind."""

    def __init__(self, categorical_column):
        self.inner = categorical_column
        self.key, self.name = self.inner.key, self.inner.name + "_indicator"
        wide = isinstance(categorical_column, Bucketized)
        self.width = categorical_column.width if wide else categorical_column.buckets

    def row(self, features, held):
        ids = self.inner.ids(features)
        if _unk(ids) or _unk(self.width):
            return ids if _unk(ids) else self.width
        n = _t.shape(ids)[0]
        hot = _t.op("tw.one_hot", [ids, _t.known([0.0, 1.0], "f32")],
                    {"depth": int(self.inner.buckets), "axis": -1})
        if isinstance(self.inner, Bucketized) or _t.shape(ids)[1] == 1:
            return _t.op("tw.reshape", [hot], {"shape": [n, int(self.width)]})
        return _t.op("tw.reduce", [hot], {"kind": "sum", "dims": [1]})


class Embedding(Column):
    """A row of a table for each kind; kinds of one example are averaged."""

    def __init__(self, categorical_column, dimension, combiner="mean", table=None, name=None):
        self.inner, self.width, self.combiner = categorical_column, dimension, combiner
        self.key = categorical_column.key
        self.name = name or categorical_column.name + "_embedding"
        self.table = table or self.name + "/embedding_weights"

    def wants(self):
        if _unk(self.inner.num_buckets) or _unk(self.width):
            return []
        return [(self.table, [int(self.inner.num_buckets), int(self.width)])]

    def row(self, features, held):
        ids = self.inner.ids(features)
        if _unk(ids):
            return ids
        if self.table not in held:
            return self.inner.num_buckets if _unk(self.inner.num_buckets) else self.width
        found = _t.op("tw.take", [handle(held[self.table]), ids], {"axis": 0, "batch_dims": 0})
        return _t.op("tw.reduce", [found], {"kind": "sum" if self.combiner == "sum" else "mean",
                                            "dims": [1]})


def flat(columns):
    """All columns of a list, a set or a dict."""
    if _unk(columns) or columns is None:
        return columns
    if isinstance(columns, dict):
        columns = list(columns.values())
    if not isinstance(columns, (list, tuple, set, frozenset)) and not hasattr(columns, "__iter__"):
        columns = [columns]
    return list(columns)


def wants(columns):
    """The weights of columns, each once."""
    found = {}
    for c in columns:
        if not _unk(c) and hasattr(c, "wants"):
            for name, shape in c.wants():
                found[name] = shape
    return found


def dense(features, columns, held):
    """The rows of the columns, one beside the other; `held`: the weights by name."""
    columns = flat(columns)
    if _unk(columns) or _unk(features):
        return columns if _unk(columns) else features
    parts = []
    for c in columns:
        if _unk(c):
            return c
        if hasattr(c, "dense"):
            row = c.dense(features)
            row = row if _unk(row) else handle(row)
        else:
            row = c.row(features, held)
        if _unk(row):
            return row
        parts.append(row)
    return wrap(parts[0] if len(parts) == 1 else _t.op("tw.concatenate", parts, {"dim": 1}))


def linear_wants(columns, units=1):
    """The weights of a linear model of the columns."""
    found = {}
    for c in columns:
        if _unk(c):
            continue
        n = c.num_buckets if c.categorical else c.width
        if not _unk(n):
            found[str(c.name) + "/weights"] = [int(n), units]
        found.update(dict([] if c.categorical else c.wants()))
    found["bias_weights"] = [units]
    return found


def linear(features, columns, held, units=1):
    """The sum of what each column weighs, and a bias."""
    columns = flat(columns)
    if _unk(columns) or _unk(features):
        return columns if _unk(columns) else features
    total = None
    for c in columns:
        if _unk(c):
            return c
        weight = held.get(str(c.name) + "/weights")
        if weight is None:
            return c.num_buckets if c.categorical else c.width
        if c.categorical:
            ids = c.ids(features)
            part = ids if _unk(ids) else _t.op("tw.reduce", [_t.op(
                "tw.take", [handle(weight), ids], {"axis": 0, "batch_dims": 0})],
                {"kind": "sum", "dims": [1]})
        else:
            row = c.row(features, held)
            part = row if _unk(row) else _t.op("tw.matmul", [row, handle(weight)])
        if _unk(part):
            return part
        total = part if total is None else _t.op("tw.binary", [total, part], {"kind": "add"})
    if total is None:
        return _t.unknown("a linear model without columns")
    return wrap(_t.op("tw.binary", [total, handle(held["bias_weights"])], {"kind": "add"}))
