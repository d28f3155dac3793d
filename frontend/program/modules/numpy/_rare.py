"""More functions of NumPy that few programs use: their shapes, and their numbers where few are."""

import math

import _tilewise
from . import (_LIMIT, _binary, _builtin_sum, _elementwise, _joint, _joint_type, _map, _type, arange,
               array, bool_, broadcast_to, concatenate, expand_dims, float64, floor,
               int64, max, meshgrid, min, ndarray, prod, reshape, stack, std, sum,
               trunc, uint8, var, where)

_unk = _tilewise.is_unknown
Infinity = PINF = math.inf
NINF = -math.inf
fix = trunc
cbrt = _elementwise(lambda v: math.copysign(abs(v) ** (1 / 3), v))
degrees = rad2deg = _elementwise(math.degrees)
acos, asin, atan = (_elementwise(f) for f in (math.acos, math.asin, math.atan))
acosh, asinh, atanh = arccosh, arcsinh, arctanh = tuple(
    _elementwise(f) for f in (math.acosh, math.asinh, math.atanh))
sinc = _elementwise(lambda v: math.sin(math.pi * v) / (math.pi * v) if v else 1.0)
atan2, copysign = _binary(math.atan2), _binary(math.copysign)
fmax = _binary(lambda a, b: a if a >= b else b)
fmin = _binary(lambda a, b: a if a <= b else b)
fmod, float_power, pow = (_binary(f) for f in (
    math.fmod, lambda a, b: float(a) ** b, lambda a, b: a ** b))
gcd, lcm = _binary(math.gcd), _binary(lambda a, b: a * b // math.gcd(a, b) if a and b else 0)
heaviside = _binary(lambda a, b: 0.0 if a < 0 else b if a == 0 else 1.0)
logical_xor = _binary(lambda a, b: bool(a) != bool(b), bool_)
bitwise_xor, left_shift, right_shift = (_binary(f) for f in (
    lambda a, b: a ^ b, lambda a, b: a << b, lambda a, b: a >> b))
bitwise_left_shift, bitwise_right_shift = left_shift, right_shift
invert = bitwise_not = bitwise_invert = lambda x: _map(
    lambda v: not v if isinstance(v, bool) else ~v, x)
positive = lambda x: array(x)
signbit = lambda x: _map(lambda v: v < 0, x, bool_)
iscomplex = lambda x: _map(lambda v: isinstance(v, complex) and v.imag != 0, x, bool_)
isreal = lambda x: _map(lambda v: not isinstance(v, complex) or v.imag == 0, x, bool_)
nansum, nanprod, nanvar, nanstd = sum, prod, var, std


def conj(x):
    x = array(x)
    if _unk(x) or x.dtype.kind != "c" or x._values is None:
        return x
    return _map(lambda v: v.conjugate() if isinstance(v, complex) else v, x)


conjugate = conj


def angle(z, deg=False):
    z = array(z)
    return z if _unk(z) else ndarray(z.shape, float64)


def divmod(a, b):
    whole = floor(a / b)
    return whole, a - whole * b


def modf(x):
    whole = trunc(x)
    return x - whole, whole


def nanargmax(a, axis=None):
    from . import argmax
    return argmax(a, axis)


def nanargmin(a, axis=None):
    from . import argmin
    return argmin(a, axis)


def nanmedian(a, axis=None, **options):
    from . import median
    return median(a, axis)


def nancumsum(a, axis=None, **options):
    from . import cumsum
    return cumsum(a, axis)


cumulative_sum = nancumsum


def _of_first(function):
    """Of what is not known nothing is made."""
    def called(a, *args, **kw):
        a = array(a)
        return a if _unk(a) else function(a, *args, **kw)
    return called


# Parts and places.

def _axis(a, axis):
    return (a.ravel(), 0) if axis is None else (a, axis % a.ndim)


@_of_first
def take_along_axis(a, indices, axis):
    places = array(indices)
    if _unk(places):
        return places
    a, d = _axis(a, axis)
    sizes = [n if i == d else m if n == 1 else n
             for i, (m, n) in enumerate(zip(a.shape, places.shape))]
    return ndarray(sizes, a.dtype)._with_batch(a, places)


def put_along_axis(arr, indices, values, axis):
    arr._values = None


def _changed(a, *args, **kw):
    """What is put into an array is not followed."""
    if isinstance(a, ndarray):
        a._values = None


put = putmask = place = fill_diagonal = _changed


def copyto(dst, src, casting="same_kind", where=True):
    if isinstance(dst, ndarray) and not _unk(src):
        made = broadcast_to(array(src), dst.shape)
        dst._values = made._values if where is True else None


@_of_first
def compress(condition, a, axis=None):
    count = int(sum(condition)) if condition._values is not None else condition.size
    a, d = _axis(array(a), axis)
    return ndarray(a.shape[:d] + (count,) + a.shape[d + 1:], a.dtype)._with_batch(a)


@_of_first
def extract(condition, arr):
    return compress(condition.ravel(), arr)


@_of_first
def diagonal(a, offset=0, axis1=0, axis2=1):
    m, n = a.shape[axis1], a.shape[axis2]
    rest = [s for d, s in enumerate(a.shape) if d not in (axis1 % a.ndim, axis2 % a.ndim)]
    size = min([m + min([offset, 0]), n - max([offset, 0])])
    return ndarray(rest + [int(max([size, 0]))], a.dtype)


@_of_first
def diagflat(v, k=0):
    n = v.size + abs(k)
    return ndarray([n, n], v.dtype)


def diag_indices(n, ndim=2):
    return (arange(n),) * ndim


def _triangle(n, k, m, low):
    m = n if m is None else m
    if _unk(n) or _unk(m) or n * m > 16 * _LIMIT:
        count = _tilewise.unknown("a size") if _unk(n) or _unk(m) else \
            n * (n + 1) // 2 + k * n if low == (k <= 0) and n == m else n * m // 2
        return (ndarray([count], int64),) * 2
    places = [(i, j) for i in range(n) for j in range(m) if (j <= i + k if low else j >= i + k)]
    return array([i for i, j in places], int64), array([j for i, j in places], int64)


def tril_indices(n, k=0, m=None):
    return _triangle(n, k, m, True)


def triu_indices(n, k=0, m=None):
    return _triangle(n, k, m, False)


def tril_indices_from(arr, k=0):
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr, k=0):
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    at = 0
    for place, n in zip(multi_index, dims):
        at = at * n + place
    return at


def ix_(*args):
    rank = len(args)
    return tuple([array(a).reshape([1] * d + [-1] + [1] * (rank - d - 1))
                  for d, a in enumerate(args)])


def ndenumerate(arr):
    from ._more import ndindex
    arr = array(arr)
    return [(at, arr[at]) for at in ndindex(arr.shape)]


def nditer(op, *args, **options):
    return iter(array(op).ravel())


def lexsort(keys, axis=-1):
    from . import argsort
    return argsort(array(keys[-1]), axis)


@_of_first
def unstack(x, axis=0):
    return tuple([array(part) for part in x.swapaxes(0, axis)])


# Shapes.

def _pieces(axis):
    def split_along(ary, indices_or_sections):
        from . import split
        return split(ary, indices_or_sections, axis)
    return split_along


vsplit, dsplit = _pieces(0), _pieces(2)


def hsplit(ary, indices_or_sections):
    from . import split
    return split(ary, indices_or_sections, 0 if array(ary).ndim == 1 else 1)


@_of_first
def atleast_3d(a):
    if a.ndim >= 3:
        return a
    return a.reshape([1] * (a.ndim < 2) + list(a.shape) + [1] * (2 if a.ndim == 0 else 1))


def row_stack(arrays, **options):
    from . import vstack
    return vstack(arrays)


def block(arrays):
    if not isinstance(arrays, list):
        return array(arrays)
    deep = 1
    inner = arrays
    while isinstance(inner[0], list):
        deep, inner = deep + 1, inner[0]
    return concatenate([block(a) for a in arrays], -deep)


def concat(arrays, axis=0, **options):
    return concatenate(arrays, axis)


def permute_dims(a, axes=None):
    from . import transpose
    return transpose(a, axes)


def broadcast_shapes(*shapes):
    return _joint(*[(s,) if isinstance(s, int) else tuple(s) for s in shapes])


@_of_first
def resize(a, new_shape):
    return ndarray([new_shape] if isinstance(new_shape, int) else new_shape, a.dtype)


@_of_first
def trim_zeros(filt, trim="fb"):
    return filt


@_of_first
def ediff1d(ary, *args, **options):
    return ndarray([max([ary.size - 1, 0])], ary.dtype)


class _Grid:
    """mgrid[0:4, 0:5] and ogrid: where the points of a lattice are."""

    def __init__(self, whole):
        self._whole = whole

    def __getitem__(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        axes = []
        for s in parts:
            step = 1 if s.step is None else s.step
            start = 0 if s.start is None else s.start
            if isinstance(step, complex):
                from . import linspace
                axes.append(linspace(start, s.stop, int(abs(step))))
            else:
                axes.append(arange(start, s.stop, step))
        if not self._whole:
            return list(ix_(*axes))
        found = meshgrid(*axes, indexing="ij")
        return stack(list(found)) if isinstance(index, tuple) else found[0]


mgrid, ogrid = _Grid(True), _Grid(False)


class _Joined:
    """r_[a, 0:4] and c_[a, b]."""

    def __init__(self, columns):
        self._columns = columns

    def __getitem__(self, index):
        parts = []
        for p in index if isinstance(index, tuple) else (index,):
            if isinstance(p, str):
                return _tilewise.unknown("arrays that are joined as a text says")
            a = mgrid[p] if isinstance(p, slice) else array(p)
            if _unk(a):
                return a
            a = a.reshape([1]) if a.ndim == 0 else a
            parts.append(expand_dims(a, 1) if self._columns and a.ndim == 1 else a)
        return concatenate(parts, -1 if self._columns else 0)


r_, c_ = _Joined(False), _Joined(True)


# Sums of products, filters and polynomials.

def vdot(a, b):
    from . import matmul
    return matmul(array(a).ravel(), array(b).ravel())


def vecdot(a, b, axis=-1):
    return sum(array(a) * array(b), axis)


def tensordot(a, b, axes=2):
    a, b = array(a), array(b)
    if _unk(a) or _unk(b):
        return a if _unk(a) else b
    if isinstance(axes, int):
        left, right = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    else:
        left, right = [[d] if isinstance(d, int) else list(d) for d in axes]
    left, right = [d % a.ndim for d in left], [d % b.ndim for d in right]
    return ndarray([n for d, n in enumerate(a.shape) if d not in left]
                   + [n for d, n in enumerate(b.shape) if d not in right], _joint_type(a, b))


def convolve(a, v, mode="full"):
    a, v = array(a), array(v)
    if _unk(a) or _unk(v):
        return a if _unk(a) else v
    m, n = a.shape[0], v.shape[0]
    count = {"full": m + n - 1, "same": max([m, n])}.get(mode, max([m, n]) - min([m, n]) + 1)
    return ndarray([int(count)], float64)


def correlate(a, v, mode="valid"):
    return convolve(a, v, mode)


@_of_first
def trapz(y, x=None, dx=1.0, axis=-1):
    return ndarray([n for d, n in enumerate(y.shape) if d != axis % y.ndim], float64)


trapezoid = trapz


def _cosines(*terms):
    def window(m, *args, **options):
        if _unk(m):
            return m
        at = [2 * math.pi * i / (m - 1 if m > 1 else 1) for i in range(m)]
        return array([_builtin_sum([c * math.cos(k * t) for k, c in enumerate(terms)]) for t in at])
    return window


hamming, blackman = _cosines(0.54, -0.46), _cosines(0.42, -0.5, 0.08)
kaiser = bartlett = _cosines(0.5, -0.5)


def polyfit(x, y, deg, *args, **options):
    return ndarray([deg + 1], float64)


def polyval(p, x):
    total = 0.0
    for c in list(array(p)):
        total = total * x + c
    return total


def vander(x, N=None, increasing=False):
    x = array(x)
    return x if _unk(x) else ndarray([x.size, x.size if N is None else N], float64)


def histogram2d(x, y, bins=10, *args, **options):
    m, n = bins if isinstance(bins, (list, tuple)) else (bins, bins)
    return (ndarray([m, n], float64), ndarray([m + 1], float64), ndarray([n + 1], float64))


# Choices.

def select(condlist, choicelist, default=0):
    made = default
    for condition, choice in list(zip(condlist, choicelist))[::-1]:
        made = where(condition, choice, made)
    return made


def piecewise(x, condlist, funclist, *args, **kw):
    x = array(x)
    return x if _unk(x) else ndarray(x.shape, x.dtype)


def choose(a, choices, *args, **options):
    shape = _joint(array(a).shape, *[array(c).shape for c in choices])
    return ndarray(shape, array(choices[0]).dtype)


@_of_first
def packbits(a, axis=None, **options):
    a, d = _axis(a, axis)
    return ndarray(a.shape[:d] + (-(-a.shape[d] // 8),) + a.shape[d + 1:], uint8)


@_of_first
def unpackbits(a, axis=None, count=None, **options):
    a, d = _axis(a, axis)
    return ndarray(a.shape[:d] + (8 * a.shape[d] if count is None else count,)
                   + a.shape[d + 1:], uint8)


def setxor1d(ar1, ar2, assume_unique=False):
    return _tilewise.unknown("what differs in data")


# Types, texts and files.

def result_type(*given):
    kinds = [_type(g) if isinstance(g, (str, type(float64))) else array(g).dtype for g in given]
    found = kinds[0]
    for k in kinds[1:]:
        found = _joint_type(ndarray([1], found), ndarray([1], k))
    return found


promote_types = common_type = result_type


def fromiter(iter, dtype, count=-1, **options):
    return array(list(iter), dtype)


def iterable(y):
    return hasattr(y, "__iter__")


def shares_memory(a, b, *args, **options):
    return a is b


may_share_memory = shares_memory


def array2string(a, *args, **options):
    return str(a)


array_str = array_repr = array2string


def savez_compressed(*args, **kw):
    pass


class errstate:
    def __init__(self, *args, **options):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        return False

    def __call__(self, function):
        return function


printoptions = errstate


class lib:
    class stride_tricks:
        @staticmethod
        def sliding_window_view(x, window_shape, axis=None, **options):
            x = array(x)
            if _unk(x):
                return x
            sizes = [window_shape] if isinstance(window_shape, int) else list(window_shape)
            axes = list(range(x.ndim)) if axis is None else \
                [axis] if isinstance(axis, int) else list(axis)
            shape = list(x.shape)
            for d, n in zip(axes, sizes):
                shape[d] -= n - 1
            return ndarray(shape + sizes, x.dtype)._with_batch(x)

        @staticmethod
        def as_strided(x, shape=None, strides=None, **options):
            x = array(x)
            return x if _unk(x) else ndarray(x.shape if shape is None else shape, x.dtype)


NAMES = {n for n in list(globals()) if n[:1] != "_"} - {"math"}
