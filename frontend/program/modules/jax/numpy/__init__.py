"""jax.numpy on symbols."""

import math

import _tilewise as _t
from jax import _core as _c
from jax._core import (
    Array, DType, bool_, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
    float8_e4m3fn, float8_e5m2, bfloat16, float16, float32, float64, complex64, complex128,
    as_array, binary, compare, unary, unary_float, reduce, power, clip, transpose as _transpose,
    broadcast_to, broadcast_shapes, expand_dims, squeeze, moveaxis, stack, matmul as _matmul,
    take, getitem)
from jax.numpy import fft, linalg
from jax.numpy._more import (
    argpartition, c_, copysign, corrcoef, correlate, degrees, diagflat, divmod, dsplit, ediff1d,
    fill_diagonal, gradient, in1d, index_exp, intersect1d, iscomplex, isreal, logaddexp2, modf,
    nanargmax, nanargmin, nanmedian, nanpercentile, nanquantile, nextafter, ogrid, packbits,
    polyfit, r_, s_, setdiff1d, signbit, trapezoid, trapz, tril_indices_from, triu_indices_from,
    union1d, unwrap, vander)

_max = max
_bool = bool
_min = min
_sum = sum
ndarray = Array
float_ = float32
int_ = int32
uint = uint32
single = float32
double = float64
pi = math.pi
e = math.e
inf = math.inf
nan = math.nan
newaxis = None
euler_gamma = 0.5772156649015329


class _Kind:
    pass


class generic(_Kind):
    kinds = "fiubcV"


class number(_Kind):
    kinds = "fiucV"


class integer(_Kind):
    kinds = "iu"


class signedinteger(_Kind):
    kinds = "i"


class unsignedinteger(_Kind):
    kinds = "u"


class inexact(_Kind):
    kinds = "fcV"


class floating(_Kind):
    kinds = "fV"


class complexfloating(_Kind):
    kinds = "c"


def dtype(x, *args, **kw):
    return _c.lookup(x) or float32


def issubdtype(a, b):
    a = _c.lookup(a)
    if a is None:
        return False
    kinds = getattr(b, "kinds", None)
    if kinds is not None:
        return a.kind in kinds
    name = getattr(b, "__name__", "")
    group = {"integer": "iu", "signedinteger": "i", "unsignedinteger": "u", "inexact": "fcV",
             "floating": "fV", "complexfloating": "c", "number": "fiucV", "generic": "fiubcV",
             "prng_key": ""}
    if name in group:
        return a.kind in group[name]
    return a is _c.lookup(b)


class _Number(float):
    """A number as NumPy has it, which is an array without dims as well."""
    shape, ndim, size = (), 0, 1

    def astype(self, dtype):
        return as_array(float(self)).astype(dtype)

    def item(self):
        return float(self)


class finfo:
    def __init__(self, d):
        d = _c.lookup(d.dtype if isinstance(d, Array) else d) or float32
        top, eps, tiny, bits = {
            "bf16": (3.3895313892515355e38, 0.0078125, 1.1754943508222875e-38, 16),
            "f16": (65504.0, 0.0009765625, 6.103515625e-05, 16),
            "f32": (3.4028234663852886e38, 1.1920928955078125e-07, 1.1754943508222875e-38, 32),
            "f64": (1.7976931348623157e308, 2.220446049250313e-16, 2.2250738585072014e-308, 64),
        }.get(d.short, (448.0, 0.125, 0.015625, 8))
        self.dtype = d
        self.max = _Number(top)
        self.min = _Number(-top)
        self.eps = _Number(eps)
        self.tiny = tiny
        self.smallest_normal = tiny
        self.bits = bits


class iinfo:
    def __init__(self, d):
        d = _c.lookup(d.dtype if isinstance(d, Array) else d) or int32
        bits = d.itemsize * 8
        self.dtype = d
        self.bits = bits
        self.min = 0 if d.kind == "u" else -(1 << (bits - 1))
        self.max = (1 << bits) - 1 if d.kind == "u" else (1 << (bits - 1)) - 1


def promote_types(a, b):
    return _c.promote(_c.dtype(a), _c.dtype(b))


def result_type(*xs):
    strong = None
    weak = None
    for x in xs:
        if isinstance(x, (int, float)) and not isinstance(x, DType):
            d = _c.dtype(type(x))
            weak = d if weak is None else _c.promote(weak, d)
        else:
            d = _c.dtype(x.dtype if hasattr(x, "dtype") else x)
            strong = d if strong is None else _c.promote(strong, d)
    if strong is None:
        return weak
    if weak is not None and _c.RANK[weak.short] >= 10 and _c.RANK[strong.short] < 10:
        return float32
    return strong


def can_cast(a, b, casting="safe"):
    return True


def isdtype(d, kind):
    d = _c.lookup(d)
    for k in kind if isinstance(kind, tuple) else (kind,):
        group = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu",
                 "real floating": "fV", "complex floating": "c", "numeric": "iufVc"}
        if isinstance(k, str) and d.kind in group.get(k, "") or _c.lookup(k) is d:
            return True
    return False


# Making arrays.

def array(x, dtype=None, copy=True, order="K", ndmin=0, device=None):
    r = as_array(x, None if dtype is None else _c.dtype(dtype))
    if _t.is_unknown(r):
        return r
    if r.weak_type:
        r.weak_type = False
    while len(r.shape) < ndmin:
        r = expand_dims(r, 0)
    return r


def asarray(x, dtype=None, order=None, copy=None, device=None):
    return as_array(x, None if dtype is None else _c.dtype(dtype))


def from_dlpack(x, **kw):
    return as_array(x)


def frombuffer(x, dtype=None, **kw):
    return _t.unknown("numbers of a buffer")


def _shape(shape):
    return _t.sizes(shape)


def zeros(shape, dtype=None, device=None, **kw):
    return _c.full(0, _shape(shape), _c.dtype(dtype))


def ones(shape, dtype=None, device=None, **kw):
    return _c.full(1, _shape(shape), _c.dtype(dtype))


def empty(shape, dtype=None, device=None, **kw):
    return _c.full(0, _shape(shape), _c.dtype(dtype))


def full(shape, fill_value, dtype=None, device=None, **kw):
    if isinstance(fill_value, Array):
        n = _c.number_of(fill_value)
        if n is None:
            r = fill_value if dtype is None else _c.convert(fill_value, dtype)
            return broadcast_to(r, _shape(shape))
        return _c.full(n, _shape(shape), _c.dtype(dtype, fill_value.dtype))
    if dtype is None:
        dtype = bool_ if isinstance(fill_value, _bool) else (
            int32 if isinstance(fill_value, int) else float32)
    return _c.full(fill_value, _shape(shape), _c.dtype(dtype))


def _like(x):
    if hasattr(x, "shape") and hasattr(x, "dtype"):
        return x.shape, _c.dtype(x.dtype)
    x = as_array(x)
    return x.shape, x.dtype


def _full_like(x, value, dtype, shape):
    if _t.is_unknown(x):
        return x
    s, d = _like(x)
    r = full(s if shape is None else shape, value, d if dtype is None else dtype)
    b = getattr(x, "_b", ())
    if b:
        r = _c.fill_levels(r, b)
    return r


def zeros_like(x, dtype=None, shape=None, device=None, out_sharding=None):
    return _full_like(x, 0, dtype, shape)


def ones_like(x, dtype=None, shape=None, device=None, out_sharding=None):
    return _full_like(x, 1, dtype, shape)


def empty_like(x, dtype=None, shape=None, device=None):
    return _full_like(x, 0, dtype, shape)


def full_like(x, fill_value, dtype=None, shape=None, device=None, out_sharding=None):
    return _full_like(x, fill_value, dtype, shape)


def _plain(x):
    if isinstance(x, Array):
        n = _c.number_of(x)
        return _t.unknown("a bound that is computed") if n is None else n
    return x


def arange(start, stop=None, step=None, dtype=None, device=None, **kw):
    start, stop, step = _plain(start), _plain(stop), _plain(step)
    if stop is None:
        start, stop = 0, start
    if step is None:
        step = 1
    if _t.is_unknown(start) or _t.is_unknown(stop) or _t.is_unknown(step):
        return _t.unknown("a range whose bounds are not known")
    count = _max(0, math.ceil((stop - start) / step))
    if dtype is None:
        whole = isinstance(start, int) and isinstance(stop, int) and isinstance(step, int)
        d = int32 if whole else float32
    else:
        d = _c.dtype(dtype)
    if count <= 256:
        return _c.known([start + i * step for i in range(count)], d)
    r = _c.iota([count], 0, d)
    if step != 1:
        r = binary("multiply", r, step)
    if start != 0:
        r = binary("add", r, start)
    return r


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, **kw):
    d = _c.dtype(dtype)
    if isinstance(start, Array) or isinstance(stop, Array):
        a, b = _plain(start), _plain(stop)
        if _t.is_unknown(a) or _t.is_unknown(b):
            t = binary("divide", _c.iota([num], 0, float32), _max(num - 1, 1))
            return binary("add", start, binary("multiply", binary("subtract", stop, start), t))
        start, stop = a, b
    step = (stop - start) / _max(num - 1 if endpoint else num, 1)
    if num <= 256:
        r = _c.known([start + i * step for i in range(num)], d)
    else:
        r = binary("add", binary("multiply", _c.iota([num], 0, d), step), start)
    return (r, step) if retstep else r


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    return power(base, linspace(start, stop, num, endpoint))


def geomspace(start, stop, num=50, **kw):
    return exp(linspace(math.log(start), math.log(stop), num))


def eye(n, m=None, k=0, dtype=None, **kw):
    m = n if m is None else m
    rows = _c.iota([n, m], 0, int32)
    cols = _c.iota([n, m], 1, int32)
    return _c.convert(compare("EQ", binary("add", rows, k) if k else rows, cols),
                      _c.dtype(dtype))


def identity(n, dtype=None):
    return eye(n, dtype=dtype)


def tri(n, m=None, k=0, dtype=None):
    m = n if m is None else m
    rows = _c.iota([n, m], 0, int32)
    cols = _c.iota([n, m], 1, int32)
    return _c.convert(compare("GE", binary("add", rows, k) if k else rows, cols),
                      _c.dtype(dtype))


def tril(x, k=0):
    x = as_array(x)
    keep = tri(x.shape[-2], x.shape[-1], k, bool_)
    return _c.select(keep, x, 0)


def triu(x, k=0):
    x = as_array(x)
    keep = tri(x.shape[-2], x.shape[-1], k - 1, bool_)
    return _c.select(keep, 0, x)


def tril_indices(n, k=0, m=None):
    m = n if m is None else m
    pairs = [(i, j) for i in range(n) for j in range(m) if j <= i + k]
    return array([p[0] for p in pairs]), array([p[1] for p in pairs])


def triu_indices(n, k=0, m=None):
    m = n if m is None else m
    pairs = [(i, j) for i in range(n) for j in range(m) if j >= i + k]
    return array([p[0] for p in pairs]), array([p[1] for p in pairs])


def diag(x, k=0):
    x = as_array(x)
    if len(x.shape) == 1:
        n = x.shape[0]
        return binary("multiply", expand_dims(x, 0), eye(n, dtype=x.dtype))
    return diagonal(x, k)


def diagonal(x, offset=0, axis1=0, axis2=1):
    x = as_array(x)
    x = moveaxis(x, (axis1, axis2), (-2, -1))
    n = _min(x.shape[-2], x.shape[-1])
    return reduce("sum", _c.select(eye(x.shape[-2], x.shape[-1], offset, bool_), x, 0), -1)[..., :n]


def trace(x, offset=0, axis1=0, axis2=1, **kw):
    return reduce("sum", diagonal(x, offset, axis1, axis2), -1)


def indices(dimensions, dtype=None, sparse=False):
    out = [_c.iota(list(dimensions), i, _c.dtype(dtype, int32)) for i in range(len(dimensions))]
    return tuple(out) if sparse else stack(out, 0)


def meshgrid(*xs, copy=True, sparse=False, indexing="xy"):
    xs = [as_array(x) for x in xs]
    n = len(xs)
    order = list(range(n))
    if indexing == "xy" and n >= 2:
        order[0], order[1] = 1, 0
    shape = [1] * n
    for x, o in zip(xs, order):
        shape[o] = x.shape[0]
    out = []
    for x, o in zip(xs, order):
        own = [1] * n
        own[o] = x.shape[0]
        x = _c.reshape(x, own)
        out.append(x if sparse else broadcast_to(x, shape))
    return out


class _Grid:
    def __getitem__(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        axes = [arange(p.start or 0, p.stop, p.step) for p in parts]
        return stack(meshgrid(*axes, indexing="ij"), 0) if len(axes) > 1 else axes[0]


mgrid = _Grid()


def fromfunction(function, shape, dtype=float32, **kw):
    return function(*[_c.iota(list(shape), i, _c.dtype(dtype)) for i in range(len(shape))])


def copy(x, order=None):
    return as_array(x)


# Shapes.

def shape(x):
    return x.shape if hasattr(x, "shape") else as_array(x).shape


def ndim(x):
    return len(shape(x))


def size(x, axis=None):
    s = shape(x)
    return math.prod(s) if axis is None else s[axis]


def reshape(x, shape=None, order="C", newshape=None, **kw):
    return _c.reshape(x, newshape if shape is None else shape)


def ravel(x, order="C", out_sharding=None):
    return _c.reshape(x, (-1,))


def transpose(x, axes=None):
    x = as_array(x)
    if _t.is_unknown(x):
        return x
    return _transpose(x, tuple(range(len(x.shape)))[::-1] if axes is None else axes)


permute_dims = transpose


def matrix_transpose(x):
    return as_array(x).mT


def swapaxes(x, axis1, axis2):
    return _c.swapaxes(as_array(x), axis1, axis2)


def rollaxis(x, axis, start=0):
    x = as_array(x)
    n = len(x.shape)
    axis = axis % n
    start = start + n if start < 0 else start
    return moveaxis(x, axis, start - 1 if axis < start else start)


def concatenate(xs, axis=0, dtype=None):
    if isinstance(xs, Array):
        xs = list(xs)
    if axis is None:
        xs = [ravel(x) for x in xs]
        axis = 0
    r = _c.concatenate(xs, axis)
    return r if dtype is None else _c.convert(r, dtype)


concat = concatenate


def append(x, values, axis=None):
    if axis is None:
        return concatenate([ravel(x), ravel(values)], 0)
    return concatenate([x, values], axis)


def vstack(xs, **kw):
    return concatenate([atleast_2d(x) for x in xs], 0)


row_stack = vstack


def hstack(xs, **kw):
    xs = [atleast_1d(x) for x in xs]
    return concatenate(xs, 0 if len(xs[0].shape) == 1 else 1)


def dstack(xs, **kw):
    return concatenate([atleast_3d(x) for x in xs], 2)


def column_stack(xs):
    return concatenate([x if ndim(x) > 1 else expand_dims(x, 1) for x in xs], 1)


def block(xs):
    if isinstance(xs, list):
        if xs and isinstance(xs[0], list):
            return concatenate([block(x) for x in xs], -2)
        return concatenate([block(x) for x in xs], -1)
    return as_array(xs)


def atleast_1d(x):
    x = as_array(x)
    return x if x.shape else _c.reshape(x, (1,))


def atleast_2d(x):
    x = atleast_1d(x)
    return x if len(x.shape) > 1 else expand_dims(x, 0)


def atleast_3d(x):
    x = atleast_2d(x)
    return x if len(x.shape) > 2 else expand_dims(x, -1)


def split(x, indices_or_sections, axis=0):
    x = as_array(x)
    axis = axis % len(x.shape)
    n = x.shape[axis]
    if isinstance(indices_or_sections, int):
        k = indices_or_sections
        if n % k:
            raise ValueError("array split does not result in an equal division")
        cuts = [n // k * i for i in range(k + 1)]
    else:
        if hasattr(indices_or_sections, "tolist"):
            indices_or_sections = indices_or_sections.tolist()
        cuts = [0] + [int(i) for i in indices_or_sections] + [n]
    return _cut(x, cuts, axis)


def _cut(x, cuts, axis):
    out = []
    shape = list(x.shape)
    for a, b in zip(cuts[:-1], cuts[1:]):
        starts = [0] * len(shape)
        limits = list(shape)
        starts[axis] = a
        limits[axis] = b
        out.append(_c.slice_(x, starts, limits))
    return out


def array_split(x, indices_or_sections, axis=0):
    if not isinstance(indices_or_sections, int):
        return split(x, indices_or_sections, axis)
    x = as_array(x)
    axis = axis % len(x.shape)
    n, k = x.shape[axis], indices_or_sections
    sizes = [n // k + (1 if i < n % k else 0) for i in range(k)]
    cuts = [_sum(sizes[:i]) for i in range(k + 1)]
    return _cut(x, cuts, axis)


def hsplit(x, sections):
    return split(x, sections, 1 if ndim(x) > 1 else 0)


def vsplit(x, sections):
    return split(x, sections, 0)


def tile(x, reps):
    x = as_array(x)
    reps = list(_t.dims(reps))
    n = _max(len(reps), len(x.shape))
    reps = [1] * (n - len(reps)) + reps
    shape = [1] * (n - len(x.shape)) + list(x.shape)
    wide, full_shape = [], []
    for r, s in zip(reps, shape):
        wide += [1, s]
        full_shape += [r, s]
    r = broadcast_to(_c.reshape(x, wide), full_shape)
    return _c.reshape(r, [a * b for a, b in zip(reps, shape)])


def repeat(x, repeats, axis=None, total_repeat_length=None, **kw):
    x = as_array(x)
    if axis is None:
        x = ravel(x)
        axis = 0
    axis = axis % len(x.shape)
    if isinstance(repeats, Array):
        n = _c.number_of(repeats)
        repeats = repeats if n is None else int(n)
    if not isinstance(repeats, int):
        if total_repeat_length is None:
            listed = repeats.tolist() if hasattr(repeats, "tolist") else list(repeats)
            if _t.is_unknown(listed):
                return listed
            index = [i for i, r in enumerate(listed) for _ in range(r)]
            return take(x, as_array(index), axis)
        return take(x, zeros([total_repeat_length], int32), axis)
    s = list(x.shape)
    if repeats == 0:
        return _c.full(0, s[:axis] + [0] + s[axis + 1:], x.dtype)
    y = expand_dims(x, axis + 1)
    y = broadcast_to(y, s[:axis + 1] + [repeats] + s[axis + 1:])
    return _c.reshape(y, s[:axis] + [s[axis] * repeats] + s[axis + 1:])


def flip(x, axis=None):
    x = as_array(x)
    return _c.reverse(x, list(range(len(x.shape))) if axis is None else _t.dims(axis))


def fliplr(x):
    return flip(x, 1)


def flipud(x):
    return flip(x, 0)


def rot90(x, k=1, axes=(0, 1)):
    k = k % 4
    a, b = axes
    if k == 0:
        return as_array(x)
    if k == 2:
        return flip(x, axes)
    return flip(swapaxes(x, a, b), a) if k == 1 else swapaxes(flip(x, a), a, b)


def roll(x, shift, axis=None):
    x = as_array(x)
    if axis is None:
        return _c.reshape(roll(ravel(x), shift, 0), x.shape)
    if not isinstance(axis, int):
        shifts = _t.dims(shift)
        shifts = shifts * len(axis) if len(shifts) == 1 else shifts
        for s, a in zip(shifts, axis):
            x = roll(x, s, a)
        return x
    n = x.shape[axis]
    if isinstance(shift, Array):
        k = _c.number_of(shift)
        if k is None:
            at = binary("floor_modulo", binary("subtract", arange(n), shift), n)
            return take(x, at, axis)
        shift = int(k)
    shift = shift % n if n else 0
    if not shift:
        return x
    if axis % len(x.shape) == 0 and _t.numbers(x._h) is None:
        # The first dim is the batch mostly, which slices would hide.
        return _c.new(_t.op("tw.rotate", [x._h], {}), x._b)
    a, b = _cut(x, [0, n - shift, n], axis % len(x.shape))
    return _c.concatenate([b, a], axis)


def pad(x, pad_width, mode="constant", constant_values=0, **kw):
    x = as_array(x)
    if _t.is_unknown(x):
        return x
    n = len(x.shape)
    if hasattr(pad_width, "tolist"):
        pad_width = pad_width.tolist()
    if isinstance(pad_width, int):
        widths = [(pad_width, pad_width)] * n
    elif isinstance(pad_width[0], int):
        widths = [tuple(pad_width) if len(pad_width) == 2 else (pad_width[0],) * 2] * n
    else:
        widths = [tuple(p) if len(p) == 2 else (p[0], p[0]) for p in pad_width]
        if len(widths) == 1:
            widths = widths * n
    low = [int(a) for a, _ in widths]
    high = [int(b) for _, b in widths]
    if mode == "constant" or callable(mode):
        return _c.pad(x, low, high, None, constant_values)
    k = len(x._b)
    return _c.new(_t.op("tw.pad_mode", [x._h], {"mode": mode, "low": [0] * k + low,
                                                "high": [0] * k + high}), x._b)


def resize(x, new_shape):
    return broadcast_to(ravel(x)[:1], [math.prod(new_shape)]).reshape(new_shape)


def broadcast_arrays(*xs):
    s = broadcast_shapes(*[shape(x) for x in xs])
    return [broadcast_to(x, s) for x in xs]


def trim_zeros(x, trim="fb"):
    return as_array(x)


# Elementwise.

def _u(kind):
    return lambda x, *args, **kw: unary(kind, x)


def _uf(kind):
    return lambda x, *args, **kw: unary_float(kind, x)


def _b(kind):
    return lambda x, y, *args, **kw: binary(kind, x, y)


def _cmp(direction):
    return lambda x, y, *args, **kw: compare(direction, x, y)


negative = _u("negate")
abs = _u("abs")
absolute = abs
fabs = _uf("abs")
sign = _u("sign")
floor = _uf("floor")
ceil = _uf("ceil")
rint = _uf("round-nearest-even")
trunc = _uf("floor")
fix = trunc
exp = _uf("exp")
expm1 = _uf("exponential-minus-one")
log = _uf("log")
log1p = _uf("log-plus-one")
tanh = _uf("tanh")
sqrt = _uf("sqrt")
cbrt = _uf("cbrt")
sin = _uf("sine")
cos = _uf("cosine")
tan = _uf("tan")
isfinite = _uf("is-finite")
logical_not = _u("not")
bitwise_not = _u("not")
invert = _u("not")
bitwise_invert = _u("not")
positive = lambda x: as_array(x)
conj = lambda x: as_array(x)
conjugate = conj
add = _b("add")
subtract = _b("subtract")
multiply = _b("multiply")
divide = _b("divide")
true_divide = divide
maximum = _b("maximum")
minimum = _b("minimum")
fmax = maximum
fmin = minimum
floor_divide = _b("floor_divide")
remainder = _b("floor_modulo")
mod = remainder
fmod = _b("remainder")
arctan2 = _b("atan2")
bitwise_and = _b("and")
bitwise_or = _b("or")
bitwise_xor = _b("xor")
left_shift = _b("shift-left")
right_shift = _b("shift-right-arithmetic")
equal = _cmp("EQ")
not_equal = _cmp("NE")
less = _cmp("LT")
less_equal = _cmp("LE")
greater = _cmp("GT")
greater_equal = _cmp("GE")


def pow(x, y):
    return power(x, y)


float_power = pow


def square(x):
    x = as_array(x)
    return binary("multiply", x, x)


def reciprocal(x):
    return binary("divide", 1.0, x)


def exp2(x):
    return power(2.0, x)


def log2(x):
    return binary("multiply", log(x), 1.4426950408889634)


def log10(x):
    return binary("multiply", log(x), 0.4342944819032518)


def logaddexp(x, y):
    top = binary("maximum", x, y)
    return binary("add", top, log1p(exp(negative(abs(binary("subtract", x, y))))))


def sinh(x):
    return binary("multiply", binary("subtract", exp(x), exp(negative(x))), 0.5)


def cosh(x):
    return binary("multiply", binary("add", exp(x), exp(negative(x))), 0.5)


def arctan(x):
    return binary("atan2", x, 1.0)


def arcsin(x):
    return binary("atan2", x, sqrt(binary("subtract", 1.0, square(x))))


def arccos(x):
    return binary("atan2", sqrt(binary("subtract", 1.0, square(x))), x)


def arctanh(x):
    return binary("multiply", binary("subtract", log1p(x), log1p(negative(x))), 0.5)


def arcsinh(x):
    return log(binary("add", x, sqrt(binary("add", square(x), 1.0))))


def arccosh(x):
    return log(binary("add", x, sqrt(binary("subtract", square(x), 1.0))))


acos, asin, atan, atan2, atanh = arccos, arcsin, arctan, arctan2, arctanh


def deg2rad(x):
    return binary("multiply", x, pi / 180)


radians = deg2rad


def rad2deg(x):
    return binary("multiply", x, 180 / pi)


def hypot(x, y):
    return sqrt(binary("add", square(x), square(y)))


def sinc(x):
    x = binary("multiply", x, pi)
    return where(compare("EQ", x, 0), 1.0, binary("divide", sin(x), x))


def heaviside(x, y):
    return where(compare("EQ", x, 0), y, _c.convert(compare("GT", x, 0), float32))


def _truth(x):
    x = as_array(x)
    return x if x.dtype is bool_ else compare("NE", x, 0)


def logical_and(x, y):
    return binary("and", _truth(x), _truth(y))


def logical_or(x, y):
    return binary("or", _truth(x), _truth(y))


def logical_xor(x, y):
    return binary("xor", _truth(x), _truth(y))


def isnan(x):
    x = as_array(x)
    return compare("NE", x, x)


def isinf(x):
    return compare("EQ", abs(x), inf)


def isposinf(x):
    return compare("EQ", x, inf)


def isneginf(x):
    return compare("EQ", x, -inf)


def isclose(x, y, rtol=1e-05, atol=1e-08, equal_nan=False):
    return compare("LE", abs(binary("subtract", x, y)),
                   binary("add", binary("multiply", abs(y), rtol), atol))


def isin(element, test_elements, assume_unique=False, invert=False, **kw):
    same = compare("EQ", _c.expand_dims(as_array(element), -1), ravel(as_array(test_elements)))
    found = reduce("any", same, -1)
    return unary("not", found) if invert else found


def diag_indices(n, ndim=2):
    return (arange(n),) * ndim


def allclose(x, y, rtol=1e-05, atol=1e-08, equal_nan=False):
    return reduce("all", isclose(x, y, rtol, atol))


def array_equal(x, y, equal_nan=False):
    if shape(x) != shape(y):
        return array(False)
    return reduce("all", compare("EQ", x, y))


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    x = as_array(x)
    return _c.select(isnan(x), nan, x)


def round(x, decimals=0, out=None):
    x = as_array(x)
    if _t.is_unknown(x) or not _c.is_float(x.dtype):
        return x
    if not decimals:
        return unary("round-nearest-even", x)
    f = 10.0 ** decimals
    return binary("divide", unary("round-nearest-even", binary("multiply", x, f)), f)


around = round


def clip(x=None, min=None, max=None, a_min=None, a_max=None, a=None, **kw):
    return _c.clip(a if x is None else x, a_min if min is None else min,
                   a_max if max is None else max)


def where(condition, x=None, y=None, size=None, fill_value=None):
    if x is None:
        return nonzero(condition, size=size)
    return _c.select(condition, x, y)


def select(conditions, choices, default=0):
    r = default
    for c, v in zip(conditions[::-1], choices[::-1]):
        r = _c.select(c, v, r)
    return r


def piecewise(x, conditions, functions, *args, **kw):
    r = functions[len(conditions)] if len(functions) > len(conditions) else 0.0
    r = r(x) if callable(r) else r
    for c, f in zip(conditions, functions):
        r = _c.select(c, f(x) if callable(f) else f, r)
    return r


def nonzero(x, size=None, fill_value=None):
    x = as_array(x)
    if size is None:
        return _t.unknown("as many elements as are not zero")
    return tuple(take(zeros([1], int32), zeros([size], int32)) for _ in x.shape)


def argwhere(x, size=None, fill_value=None):
    if size is None:
        return _t.unknown("as many elements as are not zero")
    return zeros([size, ndim(x)], int32)


def flatnonzero(x, size=None, **kw):
    return nonzero(ravel(x), size=size)[0]


def count_nonzero(x, axis=None, keepdims=False):
    return reduce("sum", _c.convert(_truth(x), int32), axis, keepdims)


def real(x):
    return as_array(x).real


def imag(x):
    return as_array(x).imag


def angle(x):
    x = as_array(x)
    return binary("atan2", x.imag, x.real)


def iscomplexobj(x):
    return as_array(x).dtype.kind == "c"


def isscalar(x):
    return isinstance(x, (int, float, _bool, complex)) or isinstance(x, Array) and not x.shape


def astype(x, dtype, copy=False, device=None):
    return _c.convert(x, dtype)


# Reductions.

def sum(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, **kw):
    return reduce("sum", x, axis, keepdims, dtype, where)


def mean(x, axis=None, dtype=None, out=None, keepdims=False, where=None):
    return reduce("mean", x, axis, keepdims, dtype, where)


def max(x, axis=None, out=None, keepdims=False, initial=None, where=None):
    return reduce("max", x, axis, keepdims, None, where)


def min(x, axis=None, out=None, keepdims=False, initial=None, where=None):
    return reduce("min", x, axis, keepdims, None, where)


amax = max
amin = min


def prod(x, axis=None, dtype=None, out=None, keepdims=False, **kw):
    return reduce("product", x, axis, keepdims, dtype)


def all(x, axis=None, out=None, keepdims=False, **kw):
    return reduce("all", x, axis, keepdims)


def any(x, axis=None, out=None, keepdims=False, **kw):
    return reduce("any", x, axis, keepdims)


def var(x, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **kw):
    x = as_array(x)
    r = reduce("variance", x, axis, keepdims, dtype)
    if ddof:
        n = math.prod([x.shape[a] for a in _c._axes(axis, len(x.shape))])
        r = binary("multiply", r, n / (n - ddof))
    return r


def std(x, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **kw):
    return sqrt(var(x, axis, dtype, out, ddof, keepdims))


def average(x, axis=None, weights=None, returned=False, keepdims=False):
    if weights is None:
        return mean(x, axis, keepdims=keepdims)
    x = as_array(x)
    w = as_array(weights)
    if w.shape != x.shape and isinstance(axis, int):
        own = [1] * len(x.shape)
        own[axis] = -1
        w = _c.reshape(w, own)
    total = sum(binary("multiply", x, w), axis, keepdims=keepdims)
    return binary("divide", total, sum(broadcast_to(w, x.shape), axis, keepdims=keepdims))


nansum, nanmean, nanmax, nanmin, nanvar, nanstd = sum, mean, max, min, var, std


def ptp(x, axis=None, **kw):
    return binary("subtract", max(x, axis), min(x, axis))


def median(x, axis=None, keepdims=False, **kw):
    x = as_array(x)
    if axis is None:
        x = ravel(x)
        axis = 0
    y = sort(x, axis)
    axis = axis % len(x.shape)
    n = x.shape[axis]
    r = take(y, as_array(n // 2), axis)
    return expand_dims(r, axis) if keepdims else r


def quantile(x, q, axis=None, keepdims=False, **kw):
    x = as_array(x)
    if axis is None:
        x = ravel(x)
        axis = 0
    y = sort(x, axis)
    at = _c.convert(binary("multiply", q, float(x.shape[axis] - 1)), int32)
    return take(y, at, axis)


def percentile(x, q, axis=None, **kw):
    return quantile(x, binary("divide", q, 100.0), axis)


def argmax(x, axis=None, out=None, keepdims=None):
    return _c.arg_reduce("max", x, axis, keepdims or False)


def argmin(x, axis=None, out=None, keepdims=None):
    return _c.arg_reduce("min", x, axis, keepdims or False)


def cumsum(x, axis=None, dtype=None, out=None):
    return _c.cumulative("sum", x if dtype is None else _c.convert(x, dtype), axis)


def cumprod(x, axis=None, dtype=None, out=None):
    return _c.cumulative("product", x, axis)


cumulative_sum = cumsum


def diff(x, n=1, axis=-1, **kw):
    x = as_array(x)
    for _ in range(n):
        k = x.shape[axis]
        a = axis % len(x.shape)
        x = binary("subtract", _cut(x, [1, k], a)[0], _cut(x, [0, k - 1], a)[0])
    return x


def sort(x, axis=-1, kind=None, order=None, stable=True, descending=False):
    x = as_array(x)
    if axis is None:
        x = ravel(x)
        axis = 0
    dim = axis % len(x.shape) + len(x._b)
    return _c.new(_t.op("tw.sort", [x._h], {"dim": dim, "descending": descending}), x._b)


def argsort(x, axis=-1, kind=None, order=None, stable=True, descending=False):
    x = as_array(x)
    if axis is None:
        x = ravel(x)
        axis = 0
    axis = axis % len(x.shape)
    dim = axis + len(x._b)
    ids = _c.iota(list(_t.shape(x._h)), dim, int32)
    hs = _t.op("tw.sort", [x._h, ids._h], {"dim": dim, "descending": descending}, 2)
    return _c.new(hs[1], x._b)


def lexsort(keys, axis=-1):
    return argsort(keys[-1], axis)


def partition(x, kth, axis=-1):
    return sort(x, axis)


def unique(x, *args, size=None, **kw):
    if size is None:
        return _t.unknown("as many elements as differ")
    return sort(ravel(x))[:size]


def searchsorted(a, v, side="left", **kw):
    a = as_array(a)
    v = as_array(v)
    found = compare("LT" if side == "left" else "LE", a, expand_dims(v, -1))
    return reduce("sum", _c.convert(found, int32), -1)


def digitize(x, bins, right=False):
    return searchsorted(bins, x, "left" if right else "right")


def bincount(x, weights=None, minlength=0, length=None):
    n = length if length is not None else minlength
    base = zeros([n], float32 if weights is not None else int32)
    return base.at[x].add(1 if weights is None else weights)


def histogram(x, bins=10, *args, **kw):
    return zeros([bins], float32), zeros([bins + 1], float32)


def take_along_axis(x, indices, axis=-1, mode=None, **kw):
    return _c.take_along(x, indices, axis)


def put_along_axis(x, indices, values, axis, inplace=False, **kw):
    return as_array(x)


def compress(condition, x, axis=None, **kw):
    return _t.unknown("as many elements as a mask is true for")


def choose(a, choices, **kw):
    return take(stack(choices, 0), a, 0)


# Products.

def _prefer(d):
    return None if d is None else _c.dtype(d)


def dot(a, b, precision=None, preferred_element_type=None, **kw):
    return _c.dot(as_array(a), as_array(b), precision)


def matmul(a, b, precision=None, preferred_element_type=None, **kw):
    return _matmul(a, b, _prefer(preferred_element_type), precision)


def matvec(a, b):
    return einsum("...ij,...j->...i", a, b)


def vdot(a, b, precision=None, **kw):
    return dot(ravel(a), ravel(b), precision)


vecdot = lambda a, b, axis=-1, **kw: sum(binary("multiply", a, b), axis)


def inner(a, b, precision=None, **kw):
    a = as_array(a)
    b = as_array(b)
    if not a.shape or not b.shape:
        return binary("multiply", a, b)
    return _c.dot_general(a, b, [len(a.shape) - 1], [len(b.shape) - 1], precision=precision)


def outer(a, b, out=None):
    return binary("multiply", expand_dims(ravel(a), 1), expand_dims(ravel(b), 0))


def kron(a, b):
    a = as_array(a)
    b = as_array(b)
    r = einsum("ij,kl->ikjl", a, b)
    return reshape(r, (a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]))


def cross(a, b, *args, **kw):
    return binary("multiply", a, b)


def tensordot(a, b, axes=2, precision=None, preferred_element_type=None, **kw):
    a = as_array(a)
    b = as_array(b)
    if isinstance(axes, int):
        left = list(range(len(a.shape) - axes, len(a.shape)))
        right = list(range(axes))
    else:
        left = [x % len(a.shape) for x in _t.dims(axes[0])]
        right = [x % len(b.shape) for x in _t.dims(axes[1])]
    return _c.dot_general(a, b, left, right, d=_prefer(preferred_element_type),
                          precision=precision)


def einsum(equation, *operands, precision=None, preferred_element_type=None, optimize=None,
           _dot_general=None, out_sharding=None, **kw):
    if not isinstance(equation, str):
        return _t.unknown("einsum by lists of numbers")
    xs = [as_array(x) for x in operands]
    for x in xs:
        if _t.is_unknown(x):
            return x
    d = xs[0].dtype
    for x in xs[1:]:
        d = _c._promote_weak(xs[0], x, d, x.dtype)
    xs = [_c.convert(x, d) for x in xs]
    equation = equation.replace(" ", "")
    if "->" not in equation:
        letters = equation.replace(",", "").replace("...", "")
        once = sorted(c for c in set(letters) if letters.count(c) == 1)
        equation += "->" + ("..." if "..." in equation else "") + "".join(once)
    return _c.einsum(equation, xs, _prefer(preferred_element_type), precision)


def einsum_path(*args, **kw):
    return [], ""


def interp(x, xp, fp, *args, **kw):
    at = searchsorted(xp, x)
    return take(as_array(fp), clip(at, 0, size(fp) - 1))


def convolve(a, v, mode="full", **kw):
    a = as_array(a)
    v = as_array(v)
    n = v.shape[0]
    pads = {"full": (n - 1, n - 1), "same": ((n - 1) // 2, n // 2), "valid": (0, 0)}[mode]
    r = _c.conv(_c.reshape(a, (1, -1, 1)), _c.reshape(v, (n, 1, 1)), [1], [pads])
    return ravel(r)


def polyval(p, x, **kw):
    r = 0.0
    for i in range(shape(p)[0]):
        r = binary("add", binary("multiply", r, x), as_array(p)[i])
    return r


def cov(x, *args, **kw):
    x = as_array(x)
    x = binary("subtract", x, mean(x, 1, keepdims=True))
    return binary("divide", matmul(x, x.T), x.shape[1] - 1)


def apply_along_axis(function, axis, x, *args, **kw):
    from jax._transforms import vmap
    x = as_array(x)
    x = moveaxis(x, axis, -1)
    lead = x.shape[:-1]
    r = vmap(lambda v: function(v, *args, **kw))(reshape(x, (-1, x.shape[-1])))
    return moveaxis(reshape(r, lead + r.shape[1:]), -1, axis) if r.ndim > 1 else reshape(r, lead)


class vectorize:
    def __init__(self, function, *, excluded=(), signature=None, **kw):
        self.function = function
        self.signature = signature

    def __call__(self, *args, **kw):
        if self.signature is None:
            return self.function(*args, **kw)
        from jax._transforms import vmap
        terms = self.signature.split("->")[0].split("),(")
        cores = [len([c for c in t.strip("() ").split(",") if c]) for t in terms]
        args = [as_array(a) for a in args]
        lead = broadcast_shapes(*[a.shape[:len(a.shape) - c] for a, c in zip(args, cores)])
        f = self.function
        axes = []
        for i in range(len(lead)):
            f = vmap(f)
        args = [broadcast_to(a, tuple(lead) + tuple(a.shape[len(a.shape) - c:]))
                for a, c in zip(args, cores)]
        return f(*args, **kw)


def save(*args, **kw):
    return None


def load(*args, **kw):
    return _t.unknown("numbers of a file")


def set_printoptions(*args, **kw):
    return None


def ix_(*xs):
    out = []
    for i, x in enumerate(xs):
        own = [1] * len(xs)
        own[i] = -1
        out.append(_c.reshape(as_array(x), own))
    return tuple(out)


def unravel_index(x, shape):
    out = []
    x = as_array(x)
    for n in shape[::-1]:
        out.append(binary("floor_modulo", x, n))
        x = binary("floor_divide", x, n)
    return tuple(out[::-1])


def ravel_multi_index(xs, dims, **kw):
    r = 0
    for x, n in zip(xs, dims):
        r = binary("add", binary("multiply", r, n), x)
    return r


def unstack(x, *, axis=0):
    x = moveaxis(x, axis, 0)
    return tuple(x[i] for i in range(x.shape[0]))


def hamming(n):
    return ones([n])


hanning = blackman = bartlett = hamming


def insert(x, index, values, axis=None, **kw):
    x = as_array(x)
    axis = 0 if axis is None else axis
    a, b = _cut(x, [0, index, x.shape[axis]], axis % len(x.shape))
    values = broadcast_to(values, [1 if i == axis else n for i, n in enumerate(x.shape)])
    return _c.concatenate([a, values, b], axis)


def delete(x, index, axis=None, **kw):
    x = as_array(x)
    axis = 0 if axis is None else axis
    n = x.shape[axis]
    index = index + n if index < 0 else index
    a, _, b = _cut(x, [0, index, index + 1, n], axis % len(x.shape))
    return _c.concatenate([a, b], axis)


bool = bool_
