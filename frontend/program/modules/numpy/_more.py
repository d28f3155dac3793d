"""Functions of NumPy that few programs use."""

import math

import _tilewise
from . import (_LIMIT, argsort, array, bool_, concatenate, float64, int64, ndarray, reshape,
               sort, stack, transpose, unique, zeros)

_unk = _tilewise.is_unknown


def swapaxes(a, axis1, axis2):
    return array(a).swapaxes(axis1, axis2)


def moveaxis(a, source, destination):
    a = array(a)
    if _unk(a):
        return a
    source = [source] if isinstance(source, int) else list(source)
    destination = [destination] if isinstance(destination, int) else list(destination)
    source, destination = [d % a.ndim for d in source], [d % a.ndim for d in destination]
    order = [d for d in range(a.ndim) if d not in source]
    for to, d in sorted(zip(destination, source)):
        order.insert(to, d)
    return a.transpose(order)


def rollaxis(a, axis, start=0):
    return moveaxis(a, axis, start if start <= axis else start - 1)


def quantile(a, q, axis=None, **options):
    """Of numbers that are known, between the two nearest."""
    a = array(a)
    if _unk(a):
        return a
    if axis is not None:
        kept = [n for d, n in enumerate(a.shape) if d != axis % a.ndim]
        return ndarray(([] if isinstance(q, (int, float)) else [len(q)]) + kept, float64)
    if not isinstance(q, (int, float)):
        return array([quantile(a, one) for one in q])
    if a._values is None:
        return _tilewise.unknown("a quantile of numbers that are not known")
    ordered = sorted(a._values)
    at = q * (len(ordered) - 1)
    low = int(at)
    high = ordered[low + 1] if low + 1 < len(ordered) else ordered[low]
    return ordered[low] + (high - ordered[low]) * (at - low)


def percentile(a, q, axis=None, **options):
    if _unk(q):
        return q
    return quantile(a, q / 100 if isinstance(q, (int, float)) else [v / 100 for v in q], axis)


nanpercentile, nanquantile = percentile, quantile


def take(a, indices, axis=None):
    a = array(a)
    if _unk(a):
        return a
    if axis is None:
        return a.ravel()[indices]
    return a[(slice(None),) * (axis % a.ndim) + (indices,)]


def append(a, values, axis=None):
    a, values = array(a), array(values)
    if _unk(a) or _unk(values):
        return a if _unk(a) else values
    if axis is None:
        a, values, axis = a.ravel(), values.ravel(), 0
    return concatenate([a, values], axis)


def delete(a, obj, axis=None):
    a = array(a)
    if _unk(a) or _unk(obj):
        return a if _unk(a) else obj
    if axis is None:
        a, axis = a.ravel(), 0
    n = a.shape[axis]
    if isinstance(obj, slice):
        obj = list(range(n))[obj]
    if isinstance(obj, ndarray):
        obj = obj.tolist()
        if _unk(obj):
            return obj
    gone = {i % n for i in ([obj] if isinstance(obj, int) else obj)}
    if n > _LIMIT:
        shape = list(a.shape)
        shape[axis] -= len(gone)
        return ndarray(shape, a.dtype)._with_batch(a)
    return take(a, [i for i in range(n) if i not in gone], axis)


def real(val):
    val = array(val)
    if _unk(val) or val.dtype.kind != "c":
        return val
    return ndarray(val.shape, float64)


imag = real


def bincount(x, weights=None, minlength=0):
    x = array(x)
    if _unk(x):
        return x
    if x._values is None or weights is not None:
        return _tilewise.unknown("how often numbers occur in data")
    found = [0] * max([minlength] + [v + 1 for v in x._values])
    for v in x._values:
        found[v] += 1
    return array(found, int64)


def histogram(a, bins=10, *args, **options):
    n = bins if isinstance(bins, int) else len(bins) - 1
    return ndarray([n], int64), ndarray([n + 1], float64)


def digitize(x, bins, right=False):
    x = array(x)
    return x if _unk(x) else ndarray(x.shape, int64)


def searchsorted(a, v, side="left", sorter=None):
    return digitize(v, a)


def isin(element, test_elements, **options):
    x, tests = array(element), array(test_elements)
    if _unk(x) or _unk(tests):
        return x if _unk(x) else tests
    if x._values is None or tests._values is None:
        return ndarray(x.shape, bool_)
    found = set(tests._values)
    return ndarray(x.shape, bool_, [v in found for v in x._values])


in1d = isin


def argwhere(a):
    from . import where
    found = where(a)
    return found if _unk(found) else stack(list(found), 1)


def flatnonzero(a):
    from . import where
    a = array(a)
    return a if _unk(a) else where(a.ravel())[0]


def argpartition(a, kth, axis=-1, **options):
    return argsort(a, axis)


def partition(a, kth, axis=-1, **options):
    return sort(a, axis)


def cov(m, y=None, rowvar=True, **options):
    m = array(m)
    if _unk(m):
        return m
    n = m.shape[0 if rowvar else -1] if m.ndim > 1 else 1
    return ndarray([n, n], float64) if n > 1 else ndarray([], float64)


corrcoef = cov


def fliplr(m):
    from . import flip
    return flip(m, 1)


def flipud(m):
    from . import flip
    return flip(m, 0)


def rot90(m, k=1, axes=(0, 1)):
    m = array(m)
    return m if _unk(m) or k % 2 == 0 else m.swapaxes(axes[0], axes[1])


def dstack(arrays):
    parts = [array(a) for a in arrays]
    return concatenate([reshape(a, list(a.shape) + [1]) if a.ndim == 2 else a for a in parts], 2)


def atleast_1d(a):
    a = array(a)
    return a.reshape([1]) if not _unk(a) and a.ndim == 0 else a


def atleast_2d(a):
    a = array(a)
    return a.reshape([1] * (2 - a.ndim) + list(a.shape)) if not _unk(a) and a.ndim < 2 else a


def nan_to_num(x, *args, **options):
    return array(x)


def ptp(a, axis=None):
    from . import max, min
    return max(a, axis) - min(a, axis)


def gradient(f, *args, **options):
    return array(f)


def indices(dimensions, dtype=int64):
    return ndarray([len(dimensions)] + list(dimensions), dtype)


def broadcast_arrays(*arrays):
    from . import _joint, broadcast_to
    shape = _joint(*[array(a).shape for a in arrays])
    return [broadcast_to(a, shape) for a in arrays]


def trace(a, offset=0):
    a = array(a)
    return a if _unk(a) else ndarray(a.shape[2:], a.dtype)


def kron(a, b):
    a, b = array(a), array(b)
    return ndarray([m * n for m, n in zip(a.shape, b.shape)], a.dtype)


def cross(a, b, *args, **options):
    return array(a)


def insert(a, obj, values, axis=None):
    a = array(a)
    if _unk(a) or _unk(obj):
        return a if _unk(a) else obj
    if axis is None:
        a, axis = a.ravel(), 0
    shape = list(a.shape)
    shape[axis] += 1 if isinstance(obj, int) else len(obj)
    return ndarray(shape, a.dtype)


def loadtxt(fname, dtype=float64, *args, **options):
    from _tilewise_graphs import table
    known = table(fname)
    if known is not None:
        return known
    why = "the numbers of the file " + str(fname)
    plain = not args and not [n for n in options if n not in ("delimiter", "skiprows", "comments",
                                                             "skip_header", "encoding")]
    if plain and isinstance(options.get("delimiter"), str):
        # What separates columns is named: a table, whatever its size.
        return ndarray([_tilewise.unknown(why), _tilewise.unknown(why)], dtype)
    return _tilewise.unknown(why)


genfromtxt = fromregex = loadtxt


def fromstring(string, dtype=float64, count=-1, sep="", **options):
    from . import frombuffer
    if sep and isinstance(string, str):
        return array([float(v) for v in string.split(sep) if v.strip()], dtype)
    return frombuffer(string, dtype, count)


def setdiff1d(a, b, assume_unique=False):
    a = unique(a)
    if _unk(a) or a._values is None:
        return a
    found = isin(a, b)
    if found._values is None:
        return _tilewise.unknown("what differs in data")
    return array([v for v, held in zip(a._values, found._values) if not held], a.dtype)


def intersect1d(a, b, *args, **options):
    a = unique(a)
    if _unk(a) or a._values is None:
        return a
    found = isin(a, b)
    return array([v for v, held in zip(a._values, found._values or []) if held], a.dtype)


def union1d(a, b):
    return unique(concatenate([array(a).ravel(), array(b).ravel()]))


def logaddexp(a, b):
    from . import exp, log
    return log(exp(a) + exp(b))


def exp2(x):
    return 2.0 ** array(x)


def hanning(m):
    return array([0.5 - 0.5 * math.cos(2 * math.pi * i / max(m - 1, 1)) for i in range(m)])


def tri(n, m=None, k=0, dtype=float64):
    m = n if m is None else m
    return array([[1.0 if j <= i + k else 0.0 for j in range(m)] for i in range(n)], dtype)


def apply_over_axes(func, a, axes):
    for axis in axes:
        a = func(a, axis)
    return a


def fromfunction(function, shape, **options):
    return zeros(shape)


def matrix_transpose(a):
    return transpose(a)


class _Index:
    """x[s_[i:j]] is x[i:j]."""

    def __getitem__(self, index):
        return index


s_ = index_exp = _Index()

globals()["bool"] = bool_
def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    return abs(array(a) - array(b)) <= atol


def unravel_index(indices, shape, order="C"):
    """Where places of a flat array are, of whole numbers that are known."""
    if isinstance(shape, int):
        shape = (shape,)
    found = []
    for size in list(shape)[::-1]:
        found.append(indices % size)
        indices = indices // size
    return tuple(found[::-1])


def ndindex(*shape):
    import itertools
    sizes = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
    return itertools.product(*[range(n) for n in sizes])


NAMES = {n for n in list(globals()) if n[:1] != "_"} - {"math", "array", "concatenate"}


def weights_of(file):
    """For an archive of weights: those that the model of the program began with, by their paths."""
    import sys
    name = getattr(file, "name", None)
    if isinstance(file, str):
        name = file
    elif hasattr(file, "getvalue") and _unk(file.getvalue()):
        name = str(file.getvalue())
    if not isinstance(name, str) or ".npz" not in name or "jax._models" not in sys.modules:
        return None
    from _tilewise_files import _Archive
    from jax import _models
    made = _models.flat()
    if made is None:
        return None
    _tilewise.note("the file of weights is not here; it is taken to hold what the model began with")
    return _Archive(made)
