"""pandas without files: tables whose columns and rows are known when the program makes them."""

import _tilewise
import numpy
from ._frame import DataFrame
from ._series import Index, Series, array_of, unknown

__version__ = "2.2.0"
NA = NaN = NaT = numpy.nan


def _read(path=None, sep=None, delimiter=None, header="infer", names=None, index_col=None,
          usecols=None, **options):
    """A file: its columns are those that the program names."""
    names = names if names is not None else usecols
    listed = not _tilewise.is_unknown(names) and isinstance(names, (list, tuple)) and \
        len(names) > 0 and isinstance(names[0], str)
    return DataFrame(unknown("the table"), columns=names if listed else None)


read_csv = read_table = read_excel = read_parquet = read_json = read_pickle = read_hdf = \
    read_feather = read_sql = read_fwf = read_stata = read_sas = _read


def _is_frame(x):
    return isinstance(x, DataFrame)


def _ours(x):
    return not _tilewise.is_unknown(x) and isinstance(x, (DataFrame, Series))


def concat(objs, axis=0, ignore_index=False, **options):
    if _tilewise.is_unknown(objs):
        return DataFrame(objs)
    objs = list(objs.values()) if isinstance(objs, dict) else list(objs)
    objs = [o for o in objs if _ours(o)]
    if not objs:
        return DataFrame(unknown("the tables"))
    if axis in (1, "columns"):
        new = objs[0]._like() if _is_frame(objs[0]) else objs[0].to_frame()
        for o in objs[1:]:
            new = new.merge(o if _is_frame(o) else o.to_frame())
        return new
    known = all([_tilewise.open_size(_count(o)) is not None for o in objs])
    rows = sum([_count(o) for o in objs]) if known else _tilewise.open_dim()
    if not _is_frame(objs[0]):
        return Series(numpy.concatenate([o._a for o in objs]) if known
                      else numpy.ndarray([rows], objs[0].dtype), name=objs[0].name)
    new = objs[0]._like(None, rows)
    new._open = any([o._open for o in objs if _is_frame(o)])
    return new


def _count(o):
    return o._rows if _is_frame(o) else o._a.shape[0]


def merge(left, right, *args, **options):
    return left.merge(right) if not _tilewise.is_unknown(left) else DataFrame(left)


def get_dummies(data, prefix=None, columns=None, drop_first=False, dtype=None, **options):
    """One column a category; how many is not known unless the values are."""
    if _tilewise.is_unknown(data):
        return DataFrame(data)
    if isinstance(data, Series) and data._a._values is not None:
        values = sorted(set(data._a._values))
        return DataFrame({f"{prefix}_{v}" if prefix else v:
                          [1 if u == v else 0 for u in data._a._values]
                          for v in values[1 if drop_first else 0:]})
    new = DataFrame(unknown("the categories"))
    if isinstance(data, (Series, DataFrame)):
        new._rows = _count(data)
    return new


def to_datetime(arg, *args, **kwargs):
    return arg if _ours(arg) else unknown("a date")


to_numeric = to_timedelta = to_datetime


def factorize(values, **options):
    return Series(values).factorize()


def cut(x, *args, **kwargs):
    return Series._like(x) if _ours(x) else unknown("the ranges")


qcut = cut


def isna(x):
    return x.isna() if _ours(x) else x is None


isnull = isna


def notna(x):
    return x.notna() if _ours(x) else x is not None


notnull = notna


def unique(values):
    return Series(values).unique()


def Categorical(values, *args, **kwargs):
    return Series(values)


def set_option(*args, **kwargs):
    pass


reset_option = option_context = set_option


class _Options:
    def __getattr__(self, name):
        return _Options()

    def __setattr__(self, name, value):
        pass


options = _Options()


def __getattr__(name):
    if name == "plotting":
        import matplotlib
        return matplotlib
    return _tilewise.unknown(f"pandas.{name}")
