"""A table: its columns are known when the program names them, its rows when it makes them."""

import _tilewise
import numpy
from ._series import Index, Series, array_of, size_of, unknown


class Places:
    """`iloc` and `loc` of a table."""

    def __init__(self, of, by_name):
        self.of, self.by_name = of, by_name

    def _columns(self, key):
        names = self.of._names()
        if self.by_name:
            if isinstance(key, slice) and names is not None:
                a = names.index(key.start) if key.start is not None else 0
                z = names.index(key.stop) + 1 if key.stop is not None else len(names)
                return names[a:z]
            if isinstance(key, slice):
                return None
            return list(key) if isinstance(key, (list, tuple, Index)) else key
        if names is None:
            count = self.of._count(key)
            return None if count is None else list(range(count)) if count >= 0 else 0
        if isinstance(key, slice):
            return names[key]
        return [names[int(i)] for i in key] if isinstance(key, (list, numpy.ndarray)) \
            else names[key]

    def __getitem__(self, key):
        if isinstance(key, tuple) and len(key) == 2:
            rows, columns = key
            whole = isinstance(columns, slice) and columns.start is None and \
                columns.stop is None
            part = self.of if whole else self.of._pick(self._columns(columns))
            if isinstance(rows, slice) and rows.start is None and rows.stop is None:
                return part
            if isinstance(part, Series):
                return part[rows]
            return part._rows_of(rows)
        return self.of._rows_of(key)

    def __setitem__(self, key, value):
        if isinstance(key, tuple) and isinstance(key[1], str):
            self.of[key[1]] = Series(numpy.ndarray([self.of._rows], "float64"))


class DataFrame:
    def __init__(self, data=None, index=None, columns=None, dtype=None, copy=None):
        self._open, self._rows, self._width = False, None, None
        self._data = {}
        names = list(columns) if columns is not None and not _tilewise.is_unknown(columns) \
            else None
        if _tilewise.is_unknown(data):
            self._unread(names)
        elif isinstance(data, DataFrame):
            self._open, self._rows, self._data = data._open, data._rows, dict(data._data)
        elif isinstance(data, dict):
            for name in names or data:
                self._put(name, data.get(name))
        elif isinstance(data, (list, tuple)):
            self._list(list(data), names)
        elif hasattr(data, "shape") and not isinstance(data, Series):
            self._array(numpy.array(data), names)
        elif data is None:
            for name in names or []:
                self._put(name, [])
        else:
            self._put(names[0] if names else data.name or 0, data)
        if self._rows is None:
            self._rows = 0

    def _unread(self, names):
        self._rows = _tilewise.open_dim()
        self._open = names is None
        for name in names or []:
            self._data[name] = numpy.ndarray([self._rows], "float64")

    def _put(self, name, values):
        a = array_of(values, self._rows)
        if self._rows is None:
            self._rows = a.shape[0]
        elif a.shape[0] != self._rows:
            a = numpy.ndarray([self._rows], a.dtype)
        self._data[name] = a

    def _list(self, rows, names):
        if rows and isinstance(rows[0], dict):
            for name in names or rows[0]:
                self._put(name, [r.get(name) for r in rows])
        elif rows and isinstance(rows[0], (list, tuple)):
            for i, name in enumerate(names or range(len(rows[0]))):
                self._put(name, [r[i] if i < len(r) else None for r in rows])
        elif rows and _tilewise.is_unknown(rows[0]):
            self._unread(names)
        else:
            self._put(names[0] if names else 0, rows)

    def _array(self, a, names):
        if len(a.shape) == 1:
            a = a.reshape(-1, 1)
        self._rows = a.shape[0]
        for i, name in enumerate(names or range(a.shape[1])):
            self._data[name] = a[:, i] if a._values is not None else \
                numpy.ndarray([self._rows], a.dtype)

    # -- how it is made up

    def _names(self):
        return None if self._open else list(self._data)

    def _columns_there(self):
        """How many columns there are: a size that stands for it where that is not known."""
        if not self._open:
            return len(self._data)
        if self._width is None:
            self._width = _tilewise.open_dim()
        return self._width

    def _count(self, key):
        """How many columns a slice takes of a table whose columns are not known; -1: one."""
        if isinstance(key, int):
            return -1
        if isinstance(key, slice):
            a, z = key.start or 0, key.stop
            return z - a if z is not None and (a < 0) == (z < 0) else \
                -a if z is None and a < 0 else None
        return len(key) if isinstance(key, (list, tuple)) else None

    def _like(self, names=None, rows=None):
        """Another table, of these columns and so many rows."""
        new = DataFrame()
        new._rows = self._rows if rows is None else rows
        new._open = self._open and names is None
        new._width = self._width if new._open else None
        for name in self._data if names is None else names:
            a = self._data.get(name)
            dtype = a.dtype if a is not None else "float64"
            if a is not None and new._rows == self._rows:
                new._data[name] = a
            else:
                new._data[name] = numpy.ndarray([new._rows], dtype)
        return new

    def _pick(self, key):
        if key is None:
            return self._like()
        if isinstance(key, list):
            return self._like(key)
        return self[key]

    def _rows_of(self, key):
        """Some of the rows."""
        if _tilewise.is_unknown(key):
            return self._like(None, _tilewise.open_dim())
        if isinstance(key, Series):
            key = key._a
        if isinstance(key, int):
            return Series([a._values[key] for a in self._data.values()]) if not self._open and \
                all([a._values is not None for a in self._data.values()]) else unknown("a row")
        if isinstance(key, slice):
            if key.start is None and key.stop is None and key.step is None:
                return self
            if _tilewise.is_unknown(key.stop) or _tilewise.is_unknown(key.start):
                return self._like(None, _tilewise.open_dim())
            if _tilewise.open_size(self._rows) is None:
                short = isinstance(key.stop, int) and key.stop > 0 and not key.start
                return self._like(None, key.stop if short else _tilewise.open_dim())
            if isinstance(key.start or key.stop, str):
                return self._like(None, _tilewise.open_dim())
            n = len(range(*key.indices(self._rows)))
            new = self._like(None, n)
        elif isinstance(key, (list, numpy.ndarray)):
            key = numpy.array(key)
            if key.dtype == numpy.bool_ and key._values is None:
                return self._like(None, _tilewise.open_dim())
            n = key.shape[0] if key.dtype != numpy.bool_ else \
                len([v for v in key._values if v])
            new = self._like(None, n)
        else:
            return self._like(None, _tilewise.open_dim()) if not isinstance(key, str) \
                else unknown("a row")
        for name, a in self._data.items():
            if a._values is not None:
                new._data[name] = a[key]
        return new

    @property
    def columns(self):
        return unknown("the columns") if self._open else Index(self._data)

    @columns.setter
    def columns(self, names):
        if _tilewise.is_unknown(names):
            return
        old = list(self._data.values())
        whole = not self._open and len(old) == len(names)
        self._data = {n: old[i] if whole else numpy.ndarray([self._rows], "float64")
                      for i, n in enumerate(names)}
        self._open = False

    @property
    def index(self):
        return Index(range(self._rows)) if self._rows <= 4096 else unknown("the index")

    @index.setter
    def index(self, values):
        pass

    @property
    def shape(self):
        return (size_of(self._rows), size_of(self._columns_there()))

    @property
    def size(self):
        return self.shape[0] * self.shape[1]

    @property
    def dtypes(self):
        return unknown("the types") if self._open else \
            Dtypes({n: a.dtype for n, a in self._data.items()})

    ndim = 2
    empty = False

    @property
    def values(self):
        if self._open:
            return numpy.ndarray([self._rows, self._columns_there()], "float64")
        arrays = list(self._data.values())
        if not arrays:
            return numpy.zeros([self._rows, 0])
        known = all([a._values is not None for a in arrays]) and \
            self._rows * len(arrays) <= 4096
        if known:
            return numpy.stack(arrays, 1)
        return numpy.ndarray([self._rows, len(arrays)], arrays[0].dtype)

    def to_numpy(self, dtype=None, copy=False, na_value=None):
        a = self.values
        return a if dtype is None or _tilewise.is_unknown(a) else a.astype(dtype)

    def __array__(self, dtype=None):
        return self.values

    @property
    def T(self):
        return self.values.T

    def __len__(self):
        return size_of(self._rows)

    def __iter__(self):
        return iter([unknown("a column's name")] if self._open else list(self._data))

    def keys(self):
        return unknown("the columns") if self._open else list(self._data)

    def items(self):
        if self._open:
            return [(unknown("a column's name"), Series(numpy.ndarray([self._rows], "float64")))]
        return [(n, Series(a, name=n)) for n, a in self._data.items()]

    iteritems = items

    def __contains__(self, name):
        return name in self._data if not self._open else unknown("the columns")

    def __bool__(self):
        return True

    def __hash__(self):
        return id(self)

    # -- columns and rows

    def __getitem__(self, key):
        if _tilewise.is_unknown(key):
            return unknown("a column")
        if isinstance(key, (Series, slice)) or isinstance(key, numpy.ndarray):
            return self._rows_of(key)
        if isinstance(key, (list, Index)):
            key = list(key)
            return self._rows_of(key) if key and isinstance(key[0], bool) else self._like(key)
        if isinstance(key, DataFrame):
            return self._like()
        a = self._data.get(key)
        if a is None and not self._open:
            raise KeyError(key)
        return Series(a if a is not None else numpy.ndarray([self._rows], "float64"), name=key)

    def get(self, key, default=None):
        return self[key] if self._open or key in self._data else default

    def __setitem__(self, key, value):
        if _tilewise.is_unknown(key):
            self._open = True
            return
        for name in key if isinstance(key, list) else [key]:
            if isinstance(name, (str, int, tuple)):
                frame = not _tilewise.is_unknown(value) and isinstance(value, DataFrame)
                column = None if frame else value
                if not self._data and not self._open and not self._rows:
                    self._rows = None
                self._put(name, column)

    def __delitem__(self, key):
        self._data.pop(key, None)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._data or self._open and name not in _METHODS:
            return self[name]
        return unknown("DataFrame." + name)

    @property
    def iloc(self):
        return Places(self, False)

    @property
    def loc(self):
        return Places(self, True)

    at = ix = loc
    iat = iloc

    def pop(self, name):
        column = self[name]
        self._data.pop(name, None)
        return column

    def insert(self, loc, column, value, allow_duplicates=False):
        self[column] = value

    def assign(self, **columns):
        new = self._like()
        for name, value in columns.items():
            new[name] = value(self) if hasattr(value, "__code__") else value
        return new

    def drop(self, labels=None, axis=0, index=None, columns=None, inplace=False, **options):
        names = columns if columns is not None else labels if axis in (1, "columns") else None
        if names is None or _tilewise.is_unknown(names):
            new = self._like(None, _tilewise.open_dim())
        elif self._open:
            new = self._like()
            new._width = None
        else:
            gone = [names] if isinstance(names, (str, int)) else list(names)
            new = self._like([n for n in self._data if n not in gone])
        return self._become(new) if inplace else new

    def _become(self, new):
        self._data, self._rows = new._data, new._rows
        self._open, self._width = new._open, new._width

    def head(self, n=5):
        return self._rows_of(slice(0, n, None))

    tail = head

    def sample(self, n=None, frac=None, **options):
        if frac is None:
            return self._like(None, n or 1)
        if frac == 1 or frac == 1.0:
            return self._shuffled(self._rows)
        known = _tilewise.open_size(self._rows) is not None
        return self._shuffled(int(self._rows * frac) if known else _tilewise.open_dim())

    def _shuffled(self, rows):
        new = self._like(None, rows)
        new._data = {n: numpy.ndarray([rows], a.dtype) for n, a in new._data.items()}
        return new

    def _fewer(self, *args, inplace=False, **options):
        new = self._like(None, _tilewise.open_dim())
        return self._become(new) if inplace else new

    dropna = drop_duplicates = query = nlargest = nsmallest = _fewer

    def _changed(self, *args, inplace=False, **options):
        new = self._shuffled(self._rows)
        return self._become(new) if inplace else new

    fillna = replace = apply = applymap = sort_values = sort_index = clip = shift = diff = \
        interpolate = transform = round = where = mask = cumsum = rank = isna = isnull = \
        notna = notnull = isin = pct_change = ffill = bfill = _changed

    def _self(self, *args, inplace=False, **options):
        return None if inplace else self._like()

    copy = reset_index = set_index = infer_objects = convert_dtypes = reindex = _self

    def rename(self, mapper=None, index=None, columns=None, axis=None, inplace=False, **options):
        names = columns if columns is not None else mapper
        if _tilewise.is_unknown(names) or not isinstance(names, dict):
            return self._self(inplace=inplace)
        new = self._like()
        new._data = {names.get(n, n): a for n, a in self._data.items()}
        return self._become(new) if inplace else new

    def astype(self, dtype, copy=True, errors="raise"):
        new = self._like()
        if _tilewise.is_unknown(dtype):
            return new
        if not isinstance(dtype, dict) and dtype not in ("category", "object"):
            new._data = {n: a.astype(dtype) for n, a in self._data.items()}
        return new

    def select_dtypes(self, include=None, exclude=None):
        new = self._like([])
        new._open, new._width = True, None
        return new

    def iterrows(self):
        return iter([(0, unknown("a row"))])

    def itertuples(self, index=True, name="Pandas"):
        return iter([unknown("a row")])

    def to_dict(self, orient="dict", *args):
        if self._open or orient in ("records", "index"):
            return unknown("the rows")
        return {n: Series(a, name=n) for n, a in self._data.items()}

    def _nothing(self, *args, **kwargs):
        return None

    to_csv = to_pickle = to_excel = to_parquet = to_json = info = hist = to_hdf = _nothing

    def join(self, other, *args, **options):
        return self.merge(other)

    def merge(self, right, *args, **options):
        new = self._like(None, self._rows)
        new._open = self._open or getattr(right, "_open", True)
        for name, a in getattr(right, "_data", {}).items():
            new._data[name] = numpy.ndarray([self._rows], a.dtype)
        return new

    # -- arithmetic keeps the table's form

    def __neg__(self):
        return self._changed()

    __invert__ = __abs__ = abs = __neg__


class Dtypes(dict):
    """Types by column; also asked as a column is."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown("the types")


_METHODS = ("describe", "groupby", "corr", "mean", "std", "var", "sum", "min", "max", "median",
            "count", "nunique", "agg", "aggregate", "pivot_table", "pivot", "melt", "stack",
            "unstack", "plot", "boxplot", "rolling", "resample", "quantile", "style", "any",
            "all", "skew", "cov", "mode", "to_html", "to_string", "memory_usage", "value_counts",
            "transpose", "append", "explode", "expanding", "ewm", "squeeze", "eval", "pipe",
            "idxmax", "idxmin", "duplicated", "set_axis", "filter", "first", "last")


def _operate(self, other):
    return self._changed()


for _name in ("eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "truediv", "floordiv",
              "mod", "pow", "and", "or", "radd", "rsub", "rmul", "rtruediv", "rpow"):
    setattr(DataFrame, "__" + _name + "__", _operate)
for _name in ("add", "sub", "subtract", "mul", "multiply", "div", "divide", "pow"):
    setattr(DataFrame, _name, DataFrame._changed)
