"""A column: an array of the host's numpy whose numbers and length may not be known."""

import _tilewise
import numpy


def size_of(n):
    """A length as the program sees it."""
    return n if _tilewise.open_size(n) is not None else \
        _tilewise.unknown("how many rows the file has")


def unknown(what):
    return _tilewise.unknown(f"{what} of data that is not read")


def fresh(a):
    """The same column with a length that is not known."""
    return numpy.ndarray([_tilewise.open_dim()], a.dtype)


def array_of(values, rows=None):
    """A column from what a program gives."""
    if _tilewise.is_unknown(values):
        return numpy.ndarray([_tilewise.open_dim() if rows is None else rows], "float64")
    if isinstance(values, Series):
        return values._a
    if isinstance(values, numpy.ndarray):
        return values if len(values.shape) == 1 else values.reshape(-1)
    if isinstance(values, (list, tuple, range, set)):
        values = list(values)
        plain = not values or isinstance(values[0], (int, float, str, bool))
        if plain:
            return numpy.array(values)
        return numpy.ndarray([len(values)], "float64")
    n = rows if rows is not None else _tilewise.open_dim()
    if isinstance(values, (int, float, bool)) and n <= 4096:
        return numpy.full([n], values)
    return numpy.ndarray([n], "float64")


class Index:
    """Names of columns or rows."""

    def __init__(self, names=()):
        self._names = list(names)

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def __contains__(self, name):
        return name in self._names

    def __getitem__(self, i):
        if isinstance(i, slice):
            return Index(self._names[i])
        if isinstance(i, int):
            return self._names[i]
        return Index([self._names[int(k)] for k in i])

    def __eq__(self, other):
        return [n == other for n in self._names]

    def tolist(self):
        return list(self._names)

    to_list = tolist

    @property
    def values(self):
        return list(self._names)

    @property
    def size(self):
        return len(self._names)

    @property
    def shape(self):
        return (len(self._names),)

    def get_loc(self, name):
        return self._names.index(name)

    def difference(self, others):
        return Index([n for n in self._names if n not in list(others)])

    def drop(self, others):
        return self.difference([others] if isinstance(others, str) else others)

    def isin(self, others):
        return [n in list(others) for n in self._names]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("the index")


class Rows:
    """`iloc`, `loc`, `at` of a column."""

    def __init__(self, of):
        self.of = of

    def __getitem__(self, key):
        return self.of[key]

    def __setitem__(self, key, value):
        self.of[key] = value


class Words:
    """`str`, `dt`, `cat`: anything of a column's texts and dates is another column."""

    def __init__(self, of):
        self.of = of

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in ("codes", "year", "month", "day", "hour", "minute", "dayofweek", "weekday",
                    "dayofyear", "date"):
            return Series._like(self.of, "int64")
        if name == "categories":
            return unknown("the categories")
        return lambda *args, **kwargs: Series._like(self.of)

    def __getitem__(self, key):
        return Series._like(self.of)


str_ = str


class Series:
    def __init__(self, data=None, index=None, dtype=None, name=None, copy=None):
        if not _tilewise.is_unknown(data) and isinstance(data, dict):
            data = list(data.values())
        self._a = array_of(data if data is not None else [],
                           len(index) if isinstance(index, (list, tuple)) else None)
        if dtype is not None and not isinstance(dtype, str) or dtype in ("float32", "int32"):
            self._a = self._a.astype(dtype)
        self.name = name

    @classmethod
    def _like(cls, other, dtype=None):
        return cls(numpy.ndarray(other._a.shape, dtype or other._a.dtype), name=other.name)

    def _new(self, a):
        return Series(a, name=self.name) if isinstance(a, numpy.ndarray) and a.shape else a

    # -- what it holds

    @property
    def values(self):
        return self._a

    def to_numpy(self, dtype=None, copy=False, na_value=None):
        return self._a if dtype is None else self._a.astype(dtype)

    @property
    def shape(self):
        return (size_of(self._a.shape[0]),)

    @property
    def size(self):
        return size_of(self._a.shape[0])

    @property
    def dtype(self):
        return self._a.dtype

    @property
    def index(self):
        n = self._a.shape[0]
        return Index(range(n)) if n <= 4096 and self._a._values is not None else \
            unknown("the index")

    ndim = 1
    empty = False
    dtypes = dtype

    def __len__(self):
        return size_of(self._a.shape[0])

    def __iter__(self):
        if self._a._values is None:
            return iter([unknown("a value")])
        return iter(self._a._values)

    def tolist(self):
        return list(self._a._values) if self._a._values is not None else unknown("the values")

    to_list = tolist

    def items(self):
        return enumerate(self)

    iteritems = items

    def __array__(self, dtype=None):
        return self._a

    def __contains__(self, value):
        return unknown("the index")

    # -- parts

    def __getitem__(self, key):
        if _tilewise.is_unknown(key):
            return unknown("a value")
        if isinstance(key, Series):
            key = key._a
        if isinstance(key, slice):
            whole = key.start is None and key.stop is None
            if _tilewise.open_size(self._a.shape[0]) is None and not whole:
                short = isinstance(key.stop, int) and key.stop > 0 and not key.start
                return Series(numpy.ndarray([key.stop], self._a.dtype) if short
                              else fresh(self._a), name=self.name)
            if isinstance(key.start, str) or isinstance(key.stop, str):
                return Series(fresh(self._a), name=self.name)
            return self._new(self._a[key])
        if isinstance(key, (list, numpy.ndarray)):
            key = numpy.array(key)
            if key.dtype == numpy.bool_ and key._values is None:
                return Series(fresh(self._a), name=self.name)
            if self._a._values is None or isinstance(key._values and key._values[0], str):
                return Series(numpy.ndarray(key.shape, self._a.dtype), name=self.name)
            return self._new(self._a[key])
        if isinstance(key, int) and self._a._values is not None:
            return self._a._values[key]
        return unknown("a value")

    def __setitem__(self, key, value):
        self._a = numpy.ndarray(self._a.shape, self._a.dtype)

    @property
    def iloc(self):
        return Rows(self)

    loc = at = iat = ix = iloc

    @property
    def str(self):
        return Words(self)

    dt = cat = str

    def head(self, n=5):
        return self[:n]

    def tail(self, n=5):
        return Series(numpy.ndarray([n], self._a.dtype), name=self.name)

    def sample(self, n=None, frac=None, **options):
        if frac is not None:
            rows = self._a.shape[0]
            known = _tilewise.open_size(rows) is not None
            if frac == 1 or known:
                return Series(numpy.ndarray([int(rows * frac)], self._a.dtype), name=self.name)
            return Series(fresh(self._a), name=self.name)
        return self.tail(n or 1)

    def dropna(self, *args, **kwargs):
        return Series(fresh(self._a), name=self.name)

    drop_duplicates = dropna

    # -- other columns of the same length

    def astype(self, dtype, copy=True, errors="raise"):
        if _tilewise.is_unknown(dtype) or dtype in ("category", "object", "string", str_):
            return self
        return self._new(self._a.astype(dtype))

    def _same(self, *args, **kwargs):
        return Series._like(self)

    map = apply = fillna = replace = transform = shift = rank = diff = cumsum = where = mask = \
        pct_change = interpolate = sort_values = sort_index = clip = combine_first = _same

    def _truth(self, *args, **kwargs):
        return Series._like(self, "bool_")

    isin = isna = isnull = notna = notnull = between = duplicated = _truth

    def _self(self, *args, **kwargs):
        return self

    reset_index = copy = rename = squeeze = infer_objects = reindex = set_axis = _self

    def round(self, decimals=0):
        return self._new(numpy.round(self._a, decimals))

    def to_frame(self, name=None):
        from . import DataFrame
        return DataFrame({name or self.name or 0: self._a})

    def drop(self, *args, **kwargs):
        return Series(fresh(self._a), name=self.name)

    # -- numbers of the whole column

    def _number(self, f, what):
        return f(self._a) if self._a._values is not None else unknown(what)

    def unique(self):
        return self._number(numpy.unique, "the different values")

    def nunique(self, dropna=True):
        return self._number(lambda a: len(set(a._values)), "how many different values there are")

    def factorize(self, **options):
        return Series._like(self, "int64")._a, unknown("the different values")

    def __getattr__(self, name):
        if name in ("sum", "mean", "max", "min", "std", "var", "median", "argmax", "argmin"):
            return lambda *args, **kwargs: self._number(getattr(numpy, name), "the " + name)
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("Series." + name)

    # -- arithmetic

    def __neg__(self):
        return self._new(-self._a)

    def __invert__(self):
        return self._new(~self._a)

    def __abs__(self):
        return self._new(abs(self._a))

    abs = __abs__

    def __hash__(self):
        return id(self)


def _of(other):
    return other._a if isinstance(other, Series) else other


def _operator(name):
    def operate(self, other):
        f = getattr(self._a, name)
        if _tilewise.is_unknown(other) or other is None or isinstance(other, str):
            return Series._like(self, "bool_" if name in _COMPARISONS else None)
        other = _of(other)
        if isinstance(other, (list, tuple)):
            other = numpy.array(other)
        if isinstance(other, numpy.ndarray) and other.shape != self._a.shape:
            return Series._like(self)
        if self._a._values is None and not isinstance(other, numpy.ndarray):
            return Series._like(self, "bool_" if name in _COMPARISONS else None)
        return self._new(f(other))
    return operate


_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
for _name in _COMPARISONS + tuple(
        ["__" + side + n + "__" for n in ("add", "sub", "mul", "truediv", "floordiv", "mod",
                                          "pow", "and", "or", "xor") for side in ("", "r")]):
    setattr(Series, _name, _operator(_name))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "gt"):
    setattr(Series, _name, getattr(Series, "__" + _name + "__"))
Series.div = Series.divide = Series.__truediv__
Series.multiply, Series.subtract = Series.__mul__, Series.__sub__
