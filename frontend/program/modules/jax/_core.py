"""Arrays of JAX as symbols: types, promotion, and one function for each family of ops.

An Array under `vmap` keeps the mapped dims in front of its handle: `_b` numbers them, outermost
first, and `shape` leaves them out.
"""

import math

import _tilewise as _t

_op = _t.op
_unk = _t.is_unknown


class DType:
    """A number type: as a value of `x.dtype`, as a name in jnp, and called to convert."""

    def __init__(self, name, short, kind, size):
        self.name = name
        self.__name__ = name
        self.short = short
        self.code = short
        self.kind = kind
        self.itemsize = size
        self.type = self
        self.dtype = self
        self.char = kind
        self.str = name
        self.fields = None
        self.names = None
        self.shape = ()

    def __call__(self, x=0):
        return convert(as_array(x), self)

    def __eq__(self, other):
        return other is self or lookup(other) is self

    def __ne__(self, other):
        return not (other is self or lookup(other) is self)

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return "dtype('" + self.name + "')"

    def __str__(self):
        return self.name

    def newbyteorder(self, order=None):
        return self


bool_ = DType("bool", "pred", "b", 1)
int4 = DType("int4", "s4", "i", 1)
int8 = DType("int8", "s8", "i", 1)
int16 = DType("int16", "s16", "i", 2)
int32 = DType("int32", "s32", "i", 4)
int64 = DType("int64", "s64", "i", 8)
uint4 = DType("uint4", "u4", "u", 1)
uint8 = DType("uint8", "u8", "u", 1)
uint16 = DType("uint16", "u16", "u", 2)
uint32 = DType("uint32", "u32", "u", 4)
uint64 = DType("uint64", "u64", "u", 8)
float8_e4m3fn = DType("float8_e4m3fn", "f8e4m3fn", "f", 1)
float8_e5m2 = DType("float8_e5m2", "f8e5m2", "f", 1)
bfloat16 = DType("bfloat16", "bf16", "V", 2)
float16 = DType("float16", "f16", "f", 2)
float32 = DType("float32", "f32", "f", 4)
float64 = DType("float64", "f64", "f", 8)
complex64 = DType("complex64", "c64", "c", 8)
complex128 = DType("complex128", "c128", "c", 16)

SHARDED = []  # arrays with the axes that their dims are split over, until a step is made
ALL_TYPES = [bool_, int4, int8, int16, int32, int64, uint4, uint8, uint16, uint32, uint64,
             float8_e4m3fn, float8_e5m2, bfloat16, float16, float32, float64, complex64, complex128]
BY_CODE = {_d.short: _d for _d in ALL_TYPES}  # of XLA: u8 has 8 bits; numpy's "u8" has 8 bytes
BY_NAME = dict(BY_CODE)
BY_NAME.update({_d.name: _d for _d in ALL_TYPES})
BY_NAME.update({"float": float64, "int": int64, "bool_": bool_, "complex": complex128,
                "half": float16, "single": float32, "double": float64, "float_": float64,
                "int_": int64, "f4": float32, "f2": float16, "f8": float64, "i4": int32,
                "i8": int64, "i1": int8, "u1": uint8, "u4": uint32, "u8": uint64, "b1": bool_,
                "<f4": float32, "<i4": int32, "<f2": float16, "<f8": float64, "<i8": int64,
                "float0": bool_})
_NARROW = {"f64": float32, "s64": int32, "u64": uint32, "c128": complex64}
X64 = [False]
RANK = {"pred": 0, "u4": 1, "s4": 1, "u8": 2, "s8": 2, "u16": 3, "s16": 3, "u32": 4, "s32": 4,
        "u64": 5, "s64": 5, "f8e4m3fn": 10, "f8e5m2": 10, "bf16": 11, "f16": 11, "f32": 12,
        "f64": 13, "c64": 14, "c128": 15}


def lookup(x):
    """The type that `x` names, or None."""
    if isinstance(x, DType):
        return x
    if x is None or _unk(x):
        return None
    if x is float:
        return float64
    if x is int:
        return int64
    if x is bool:
        return bool_
    if x is complex:
        return complex128
    if isinstance(x, str):
        # A member of an enumeration of texts names what its value does.
        return BY_NAME.get(getattr(x, "value", x))
    name = getattr(x, "name", None)
    if not isinstance(name, str):
        name = getattr(x, "__name__", None)
    if isinstance(name, str) and name in BY_NAME:
        return BY_NAME[name]
    return BY_NAME.get(str(x))


def dtype(x, default=None):
    """The type that `x` names as JAX keeps it: 64 bits become 32."""
    if isinstance(x, DType):
        d = x
    else:
        d = lookup(x)
        if d is None:
            d = default or float32
    if d.itemsize >= 8 and not X64[0] and d.short in _NARROW:
        return _NARROW[d.short]
    return d


def is_float(d):
    return d.kind == "f" or d.kind == "V"


def is_trainable(d):
    """Whether gradients are taken of arrays of this type."""
    return d.kind == "c" or is_float(d)


def promote(a, b):
    """The type of an operation on arrays of types `a` and `b`."""
    if a is b:
        return a
    ra = RANK[a.short]
    rb = RANK[b.short]
    if ra < rb:
        a, b, ra, rb = b, a, rb, ra
    if ra >= 10:
        if ra == rb and ra == 11:
            return float32
        return a
    if a.kind != b.kind and rb > 0 and b.kind != "b":
        unsigned = a if a.kind == "u" else b
        signed = b if a.kind == "u" else a
        if RANK[signed.short] > RANK[unsigned.short]:
            return signed
        return {1: int8, 2: int16, 3: int32, 4: int64 if X64[0] else int32}.get(
            RANK[unsigned.short], int32)
    return a


def _marked(x):
    """Whether it is a gradient; what is not known is none."""
    return not _t.is_unknown(x) and isinstance(x, Array) and x._g is not None


class Array:
    """A tensor. `_h` is its handle; `_b` the levels of vmap in front; `_g` marks gradients."""

    _b = ()
    _g = None
    _make = None
    _batch = None  # the dim that has the examples, of data that the host gave
    _src = None
    weak_type = False
    __array_priority__ = 100
    addressable = True
    is_fully_addressable = True
    is_fully_replicated = True
    committed = True

    def __init__(self, h=None):
        if h is not None:
            self._h = h

    def __tilewise_merge__(self, other):
        """Either of two tensors of one shape and type, whichever a condition chose."""
        if _t.is_unknown(self._h) or _t.is_unknown(other._h) or self._b != other._b or \
                tuple(self.shape) != tuple(other.shape) or self.dtype != other.dtype:
            return NotImplemented
        return new(self._h, self._b) if type(self) is Array else self

    def __getattr__(self, name):
        if name == "shape":
            s = tuple(_t.shape(self._h))
            if self._b:
                s = s[len(self._b):]
            self.shape = s
            return s
        if name == "dtype":
            d = BY_CODE[_t.dtype(self._h)]
            self.dtype = d
            return d
        if name == "_h":
            make = self._make
            if make is not None:
                h = make()
                self._h = h
                return h
        raise AttributeError("Array has no attribute " + repr(name))

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def T(self):
        return transpose(self, tuple(range(len(self.shape)))[::-1])

    @property
    def mT(self):
        n = len(self.shape)
        return transpose(self, tuple(range(n - 2)) + (n - 1, n - 2))

    @property
    def at(self):
        return At(self)

    @property
    def aval(self):
        return self

    @property
    def real(self):
        return unary("real", self) if self.dtype.kind == "c" else self

    @property
    def imag(self):
        return unary("imag", self) if self.dtype.kind == "c" else binary("multiply", self, 0)

    @property
    def sharding(self):
        from jax.sharding import SingleDeviceSharding
        return getattr(self, "_sharding", None) or SingleDeviceSharding()

    @property
    def addressable_shards(self):
        return [Shard(self)]

    @property
    def global_shards(self):
        return [Shard(self)]

    @property
    def addressable_data(self):
        return lambda index=0: self

    @property
    def device(self):
        from jax.sharding import SingleDeviceSharding
        return SingleDeviceSharding()

    def devices(self):
        import jax
        return {jax.devices()[0]}

    def __repr__(self):
        n = _t.numbers(self._h)
        if n is not None and self.size <= 16:
            return "Array(" + str(n) + ", dtype=" + self.dtype.name + ")"
        return "Array(" + self.dtype.name + str(list(self.shape)) + ")"

    def __format__(self, spec):
        n = _t.numbers(self._h) if not self.shape and not self._b else None
        if n is None:
            return repr(self)
        return format(n, spec)

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of an array without dims")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over an array without dims")
        for i in range(self.shape[0]):
            yield getitem(self, i)

    def __getitem__(self, index):
        return getitem(self, index)

    def __setitem__(self, index, value):
        raise TypeError("JAX arrays do not change; use x.at[...].set(...)")

    def __hash__(self):
        return id(self)

    def __bool__(self):
        n = number_of(self)
        if n is None:
            return _t.unknown("the truth of an array that is computed")
        return bool(n)

    def __int__(self):
        n = number_of(self)
        if n is None:
            return _t.unknown("the number in an array that is computed")
        return int(n)

    def __index__(self):
        n = number_of(self)
        if n is None:
            return _t.unknown("the number in an array that is computed")
        return int(n)

    def __float__(self):
        n = number_of(self)
        if n is None:
            return _t.unknown("the number in an array that is computed")
        return float(n)

    def item(self, *args):
        n = number_of(getitem(self, args)) if args else number_of(self)
        return _t.unknown("the number in an array that is computed") if n is None else n

    def tolist(self):
        n = _t.numbers(self._h)
        return _t.unknown("the numbers of an array that is computed") if n is None else n

    def __neg__(self):
        r = unary("negate", self)
        g = self._g
        if g is not None:
            r._g = -g
        return r

    def __pos__(self):
        return self

    def __abs__(self):
        return unary("abs", self)

    def __invert__(self):
        return unary("not", self)

    def __add__(self, other):
        if self._g is not None or _marked(other):
            return _add_gradient(self, other, 1)
        return binary("add", self, other)

    def __radd__(self, other):
        return binary("add", other, self)

    def __sub__(self, other):
        if self._g is not None or _marked(other):
            return _add_gradient(self, other, -1)
        return binary("subtract", self, other)

    def __rsub__(self, other):
        if self._g is not None:
            return _add_gradient(other, self, -1)
        return binary("subtract", other, self)

    def __mul__(self, other):
        if self._g is not None or _marked(other):
            return _scale_gradient(self, other)
        return binary("multiply", self, other)

    def __rmul__(self, other):
        if self._g is not None:
            return _scale_gradient(other, self)
        return binary("multiply", other, self)

    def __truediv__(self, other):
        r = binary("divide", self, other)
        if self._g is not None:
            r._g = self._g / number_or(other, 1.0)
        return r

    def __rtruediv__(self, other):
        return binary("divide", other, self)

    def __floordiv__(self, other):
        return binary("floor_divide", self, other)

    def __rfloordiv__(self, other):
        return binary("floor_divide", other, self)

    def __mod__(self, other):
        return binary("floor_modulo", self, other)

    def __rmod__(self, other):
        return binary("floor_modulo", other, self)

    def __divmod__(self, other):
        return binary("floor_divide", self, other), binary("floor_modulo", self, other)

    def __pow__(self, other):
        return power(self, other)

    def __rpow__(self, other):
        return power(other, self)

    def __matmul__(self, other):
        return matmul(self, as_array(other))

    def __rmatmul__(self, other):
        return matmul(as_array(other), self)

    def __and__(self, other):
        return binary("and", self, other)

    def __rand__(self, other):
        return binary("and", other, self)

    def __or__(self, other):
        return binary("or", self, other)

    def __ror__(self, other):
        return binary("or", other, self)

    def __xor__(self, other):
        return binary("xor", self, other)

    def __rxor__(self, other):
        return binary("xor", other, self)

    def __lshift__(self, other):
        return binary("shift-left", self, other)

    def __rshift__(self, other):
        return binary("shift-right-arithmetic", self, other)

    def __eq__(self, other):
        return False if other is None else compare("EQ", self, other)

    def __ne__(self, other):
        return True if other is None else compare("NE", self, other)

    def __lt__(self, other):
        return compare("LT", self, other)

    def __le__(self, other):
        return compare("LE", self, other)

    def __gt__(self, other):
        return compare("GT", self, other)

    def __ge__(self, other):
        return compare("GE", self, other)

    def astype(self, dtype, copy=False, device=None):
        return convert(self, dtype)

    def view(self, dtype=None):
        return self if dtype is None else convert(self, dtype)

    def reshape(self, *shape, order="C", **ignored):
        return reshape(self, shape)

    def transpose(self, *axes):
        if len(axes) == 1 and not isinstance(axes[0], int):
            axes = axes[0]
        if not axes:
            axes = tuple(range(len(self.shape)))[::-1]
        return transpose(self, axes)

    def swapaxes(self, a, b):
        return swapaxes(self, a, b)

    def flatten(self, order="C"):
        return reshape(self, (-1,))

    def ravel(self, order="C", **ignored):
        return reshape(self, (-1,))

    def squeeze(self, axis=None):
        return squeeze(self, axis)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, where=None, **kw):
        return reduce("sum", self, axis, keepdims, dtype, where)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, where=None):
        return reduce("mean", self, axis, keepdims, dtype, where)

    def max(self, axis=None, out=None, keepdims=False, initial=None, where=None):
        return reduce("max", self, axis, keepdims, None, where)

    def min(self, axis=None, out=None, keepdims=False, initial=None, where=None):
        return reduce("min", self, axis, keepdims, None, where)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False, **kw):
        return reduce("product", self, axis, keepdims, dtype)

    def all(self, axis=None, out=None, keepdims=False, **kw):
        return reduce("all", self, axis, keepdims)

    def any(self, axis=None, out=None, keepdims=False, **kw):
        return reduce("any", self, axis, keepdims)

    def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **kw):
        return reduce("variance", self, axis, keepdims, dtype)

    def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **kw):
        return unary("sqrt", reduce("variance", self, axis, keepdims, dtype))

    def argmax(self, axis=None, out=None, keepdims=None):
        return arg_reduce("max", self, axis, bool(keepdims))

    def argmin(self, axis=None, out=None, keepdims=None):
        return arg_reduce("min", self, axis, bool(keepdims))

    def cumsum(self, axis=None, dtype=None, out=None):
        return cumulative("sum", self, axis)

    def cumprod(self, axis=None, dtype=None, out=None):
        import jax.numpy as jnp
        return jnp.cumprod(self, axis)

    def split(self, indices_or_sections, axis=0):
        import jax.numpy as jnp
        return jnp.split(self, indices_or_sections, axis)

    def trace(self, offset=0, axis1=0, axis2=1, **kw):
        import jax.numpy as jnp
        return jnp.trace(self, offset, axis1, axis2)

    def nonzero(self, **kw):
        import jax.numpy as jnp
        return jnp.nonzero(self, **kw)

    def searchsorted(self, v, side="left", **kw):
        import jax.numpy as jnp
        return jnp.searchsorted(self, v, side)

    def dot(self, other, **kw):
        return dot(self, as_array(other))

    def take(self, indices, axis=None, **kw):
        return take(self, as_array(indices), axis)

    def round(self, decimals=0, out=None):
        import jax.numpy as jnp
        return jnp.round(self, decimals)

    def clip(self, min=None, max=None, **kw):
        return clip(self, min, max)

    def repeat(self, repeats, axis=None, **kw):
        import jax.numpy as jnp
        return jnp.repeat(self, repeats, axis)

    def sort(self, axis=-1, **kw):
        import jax.numpy as jnp
        return jnp.sort(self, axis)

    def argsort(self, axis=-1, **kw):
        import jax.numpy as jnp
        return jnp.argsort(self, axis)

    def diagonal(self, offset=0, axis1=0, axis2=1):
        import jax.numpy as jnp
        return jnp.diagonal(self, offset, axis1, axis2)

    def conj(self):
        return self

    def copy(self):
        return self

    def block_until_ready(self):
        return self

    def copy_to_host_async(self):
        return None

    def delete(self):
        return None

    def is_deleted(self):
        return False

    def is_ready(self):
        return True

    def on_device_size_in_bytes(self):
        return self.nbytes

    def to_device(self, device=None, **kw):
        return self

    def __jax_array__(self):
        return self

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class Shard:
    def __init__(self, array):
        self.data = array
        self.replica_id = 0
        self.index = tuple(slice(None) for _ in array.shape)


class Key(Array):
    """A random key; no op is made for it unless it is used as numbers."""

    def __init__(self, shape=(), batch=()):
        self.shape = shape
        self.dtype = KEY_TYPE
        if batch:
            self._b = batch

    def _make(self):
        return _t.full(0, list(self._sizes()) + list(self.shape) + [2], "u32")

    def _sizes(self):
        return tuple(LEVEL_SIZES[b] for b in self._b)

    def __getitem__(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        shape = self.shape
        if shape and shape[0] is not None and len(parts) == 1 and isinstance(index, int):
            return Key(shape[1:], self._b)
        if not shape:
            return new(_t.full(0, [], "u32"))
        out = []
        rest = list(shape)
        for p in parts:
            if p is None:
                out.append(1)
            elif p is Ellipsis:
                continue
            elif isinstance(p, slice):
                out.append(len(range(*p.indices(rest.pop(0)))))
            else:
                rest.pop(0)
        return Key(tuple(out + rest), self._b)

    def __iter__(self):
        for _ in range(self.shape[0] if self.shape else 2):
            yield Key(self.shape[1:], self._b)

    def reshape(self, *shape, **ignored):
        return Key(tuple(_fit_shape(_t.dims(shape), self.size)), self._b)

    def astype(self, dtype, **kw):
        return new(self._h, self._b)


KEY_TYPE = uint32
LEVEL_SIZES = {}


class At:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, index):
        return AtIndex(self.x, index)


class AtIndex:
    def __init__(self, x, index):
        self.x = x
        self.index = index

    def set(self, values, **kw):
        return scatter(self.x, self.index, values, "assign")

    def add(self, values, **kw):
        return scatter(self.x, self.index, values, "add")

    def subtract(self, values, **kw):
        return scatter(self.x, self.index, unary("negate", as_array(values)), "add")

    def multiply(self, values, **kw):
        return scatter(self.x, self.index, values, "multiply")

    def mul(self, values, **kw):
        return scatter(self.x, self.index, values, "multiply")

    def divide(self, values, **kw):
        return scatter(self.x, self.index, binary("divide", 1.0, values), "multiply")

    def max(self, values, **kw):
        return scatter(self.x, self.index, values, "max")

    def min(self, values, **kw):
        return scatter(self.x, self.index, values, "min")

    def power(self, values, **kw):
        return scatter(self.x, self.index, power(getitem(self.x, self.index), values), "assign")

    def apply(self, function, **kw):
        return scatter(self.x, self.index, function(getitem(self.x, self.index)), "assign")

    def get(self, **kw):
        return getitem(self.x, self.index)


# Making arrays.

def new(h, b=()):
    if _unk(h):
        return h
    r = Array(h)
    if b:
        r._b = b
    return r


def lazy(shape, dtype, make):
    """An array whose op is made when it is first used."""
    r = Array()
    r.shape = tuple(shape)
    r.dtype = dtype
    r._make = make
    return r


def known(values, d):
    return new(_t.known(values, d.short))


def full(number, shape, d):
    shape = tuple(shape)
    return lazy(shape, d, lambda: _t.full(number, list(shape), d.short))


def number_of(x):
    """The number of an array of one element, when it is known."""
    if isinstance(x, Key) or x._b:
        return None
    n = _t.numbers(x._h)
    while isinstance(n, (list, tuple)):
        if len(n) != 1:
            return None
        n = n[0]
    return n


def number_or(x, otherwise):
    if isinstance(x, (int, float)):
        return x
    if isinstance(x, Array):
        n = number_of(x)
        if n is not None:
            return n
    return otherwise


def _all_numbers(values):
    for v in values:
        if isinstance(v, (list, tuple)):
            if not _all_numbers(v):
                return False
        elif not isinstance(v, (int, float)):
            return False
    return True


def _leaf_type(values):
    best = bool_
    for v in values:
        if isinstance(v, (list, tuple)):
            d = _leaf_type(v)
        elif isinstance(v, bool):
            d = bool_
        elif isinstance(v, int):
            d = int32
        else:
            return float32
        best = promote(best, d)
    return best


def as_array(x, d=None):
    """`x` as an Array, of type `d` when given."""
    if isinstance(x, Array):
        return x if d is None or x.dtype is d else convert(x, d)
    if _unk(x):
        return x
    if isinstance(x, bool):
        r = known(x, d or bool_)
        r.weak_type = d is None
        return r
    if isinstance(x, int):
        r = known(x, d or int32)
        r.weak_type = d is None
        return r
    if isinstance(x, float):
        r = known(x, d or float32)
        r.weak_type = d is None
        return r
    if isinstance(x, complex):
        return new(_t.full(x.real, [], "c64"))
    if isinstance(x, (list, tuple)):
        if not x:
            return new(_t.full(0.0, [0], (d or float32).short))
        if _t.open_count(x) is not None:
            row = as_array(x[0], d)  # data that some absent file has, however many
            return row if _unk(row) else fed([_t.open_dim()] + list(row.shape), row.dtype, None)
        if isinstance(x[0], Key):
            return Key((len(x),) + tuple(x[0].shape), x[0]._b)
        if _all_numbers(x):
            return known(list(x), d or _leaf_type(x))
        r = stack([as_array(v) for v in x], 0)
        return r if d is None else convert(r, d)
    if isinstance(x, range):
        return known(list(x), d or int32)
    if hasattr(x, "__jax_array__"):
        return as_array(x.__jax_array__(), d)
    h = getattr(x, "_h", None)
    if h is not None:
        r = new(h)
        if _unk(r):
            return r
        r = convert(r, d or dtype(BY_CODE[_t.dtype(h)]))
        if not _unk(r):
            r._batch = getattr(x, "_batch", None)
        return r
    if hasattr(x, "shape") and hasattr(x, "dtype"):
        return _of_host(x, d)
    if hasattr(x, "__array__"):
        return as_array(x.__array__(), d)
    if d is not None and hasattr(x, "__float__"):
        return known(float(x), d)
    return _t.unknown("an array made of " + type(x).__name__)


FED = [False]  # whether data of a data set came


def fed(shape, d, batch):
    """Data that the host gives, with the examples in dim `batch`."""
    r = new(_t.input(list(shape), d.short, "", batch))
    r._batch = batch
    return r


def part_of_fed(x):
    """One row of data whose examples are within its rows, as data of its own; None: it is none."""
    if not isinstance(x, Array) or not x._batch:
        return None
    return fed(x.shape[1:], x.dtype, x._batch - 1)


def _of_host(x, d):
    """An array of numpy: its numbers when they are few and known, else data from outside."""
    e = dtype(x.dtype)
    shape = x.shape
    if _unk(shape):
        return shape
    r = None
    if getattr(x, "_batch", None) is None and math.prod(shape) <= 4096:
        values = x.tolist()
        if isinstance(values, (list, int, float)):
            r = known(values, e)
            if _unk(r):
                r = None
    elif getattr(x, "_values", True) is not None:
        r = full(0, shape, e)
    if r is None:
        if getattr(x, "_examples", None) is not None:
            from jax import _batch
            _batch.from_host(x)
        elif getattr(x, "_batch", None) is not None:
            FED[0] = True
        r = fed(shape, e, getattr(x, "_batch", None))
    return r if d is None else convert(r, d)


A = as_array


def _scalar_type(value, d):
    """The type of an operation between an array of type `d` and a Python number."""
    if isinstance(value, bool):
        return d
    if isinstance(value, int):
        return int32 if d is bool_ else d
    return d if RANK[d.short] >= 10 else float32


def convert(x, d):
    if not isinstance(x, Array):
        x = as_array(x)
        if _unk(x):
            return x
    d = dtype(d)
    e = x.dtype
    if e is d:
        return x
    if x._make is not None and "_h" not in x.__dict__ and not isinstance(x, Key):
        return _convert_later(x, d)
    r = new(_op("tw.convert", [x._h], {"dtype": d.short}), x._b)
    if not _unk(r):
        r.dtype = d
        if x._g is not None:
            r._g = x._g
        if x._src is not None:
            r._src = x._src
        elif _t.is_weight(x._h):
            r._src = x
    return r


def _convert_later(x, d):
    make = x._make
    r = lazy(x.shape, d, lambda: _op("tw.convert", [x._h], {"dtype": d.short}))
    if d.kind in "fV" and x.dtype.kind in "fV":
        r._src = x if x._src is None else x._src
    if x._b:
        r._b = x._b
    if x._g is not None:
        r._g = x._g
    return r


def pair(a, b):
    """Both as Arrays of one type, and that type; None: one is not known."""
    if _unk(a) or _unk(b):
        return a, b, None
    if isinstance(a, Array):
        if isinstance(b, Array):
            da = a.dtype
            db = b.dtype
            if da is db:
                return a, b, da
            d = _promote_weak(a, b, da, db)
            return convert(a, d), convert(b, d), d
        if isinstance(b, (int, float)):
            d = _scalar_type(b, a.dtype)
            if a.dtype is not d:
                a = convert(a, d)
            return a, Array(_t.known(b, d.short)), d
    elif isinstance(a, (int, float)) and isinstance(b, Array):
        d = _scalar_type(a, b.dtype)
        if b.dtype is not d:
            b = convert(b, d)
        return Array(_t.known(a, d.short)), b, d
    a = as_array(a)
    b = as_array(b)
    if _unk(a) or _unk(b):
        return a, b, None
    d = _promote_weak(a, b, a.dtype, b.dtype)
    return convert(a, d), convert(b, d), d


def _promote_weak(a, b, da, db):
    wa = a.weak_type
    wb = b.weak_type
    if wa and not wb:
        return db if RANK[db.short] >= 10 or RANK[da.short] < 10 and db is not bool_ else da
    if wb and not wa:
        return da if RANK[da.short] >= 10 or RANK[db.short] < 10 and da is not bool_ else db
    return promote(da, db)


# Levels of vmap.

def sizes_of(levels):
    return [LEVEL_SIZES[b] for b in levels]


def common_levels(xs):
    levels = ()
    for x in xs:
        b = x._b
        if b and b != levels:
            levels = tuple(sorted(set(levels + b)))
    return levels


def with_levels(x, levels, rank=None):
    """The handle of `x` with a dim, maybe of size 1, for each of `levels`, and `rank` others."""
    shape = x.shape
    lead = [LEVEL_SIZES[b] if b in x._b else 1 for b in levels]
    ones = [1] * (0 if rank is None else rank - len(shape))
    target = lead + ones + list(shape)
    if list(_t.shape(x._h)) == target:
        return x._h
    return _op("tw.reshape", [x._h], {"shape": target})


def fill_levels(x, levels):
    """`x` repeated along the levels that it does not have."""
    if x._b == levels:
        return x
    h = with_levels(x, levels)
    shape = sizes_of(levels) + list(x.shape)
    if list(_t.shape(h)) != shape:
        h = _op("tw.broadcast_in_dim", [h], {"shape": shape, "dims": list(range(len(shape)))})
    return new(h, levels)


def aligned(xs):
    """Handles that broadcast against one another, and their levels."""
    levels = common_levels(xs)
    if not levels:
        return [x._h for x in xs], levels
    rank = max(len(x.shape) for x in xs)
    return [with_levels(x, levels, rank) for x in xs], levels


# Elementwise.

def unary(kind, x):
    if not isinstance(x, Array):
        x = as_array(x)
        if _unk(x):
            return x
    r = new(_op("tw.unary", [x._h], {"kind": kind}), x._b)
    if x.weak_type and not _unk(r):
        r.weak_type = True
    return r


def unary_float(kind, x):
    """A function whose result is a fraction, also of whole numbers."""
    if not isinstance(x, Array):
        x = as_array(x)
        if _unk(x):
            return x
    if RANK[x.dtype.short] < 10:
        weak = x.weak_type
        x = convert(x, float32)
        x.weak_type = weak
    return unary(kind, x)


def unknown_of(*operands):
    """The first operand that is not known, whose reason is that of the result."""
    return [x for x in operands if _unk(x)][0]


def _with_standins(a, b):
    """Both operands, of which one is not known; where sizes are assumed, it is like the other."""
    from jax import _standins
    if not _unk(b):
        b = as_array(b)
        a = _standins.like(a, b.shape, b.dtype, b._b)
    elif not _unk(a):
        a = as_array(a)
        b = _standins.like(b, a.shape, a.dtype, a._b)
    return pair(a, b)


def binary(kind, a, b):
    a, b, d = pair(a, b)
    if d is None:
        a, b, d = _with_standins(a, b)
    if d is None:
        return unknown_of(a, b)
    if kind == "divide" and RANK[d.short] < 10:
        weak = a.weak_type and b.weak_type
        d = float32
        a = convert(a, d)
        b = convert(b, d)
        if weak:
            a.weak_type = b.weak_type = True
    elif d is bool_ and kind in ("add", "subtract", "multiply"):
        kind = {"add": "or", "multiply": "and", "subtract": "xor"}[kind]
    if a._b or b._b:
        hs, levels = aligned([a, b])
        return new(_op("tw.binary", hs, {"kind": kind}), levels)
    h = _op("tw.binary", [a._h, b._h], {"kind": kind})
    if _unk(h):
        return h
    r = Array(h)
    r.dtype = d
    if a.weak_type and b.weak_type:
        r.weak_type = True
    return r


def complex_of(real, imag):
    a, b, d = pair(real, imag)
    if d is None:
        return unknown_of(a, b)
    hs, levels = aligned([a, b])
    return new(_op("tw.complex", hs), levels)


def compare(direction, a, b):
    if isinstance(a, str) or isinstance(b, str):
        return direction == "NE"
    a, b, d = pair(a, b)
    if d is None:
        a, b, d = _with_standins(a, b)
    if d is None:
        return unknown_of(a, b)
    hs, levels = aligned([a, b])
    return new(_op("tw.compare", hs, {"direction": direction}), levels)


def select(p, a, b):
    p = as_array(p)
    a, b, d = pair(a, b)
    if d is None:
        a, b, d = _with_standins(a, b)
    if d is not None and _unk(p):
        from jax import _standins
        one = a if a.ndim >= b.ndim else b
        p = _standins.like(p, one.shape, bool_, one._b)
    if d is None or _unk(p):
        return unknown_of(p, a, b)
    if p.dtype is not bool_:
        p = compare("NE", p, 0)
    hs, levels = aligned([p, a, b])
    return new(_op("tw.select", hs, {}), levels)


def power(a, b):
    if isinstance(b, int) and not isinstance(b, bool) and isinstance(a, Array):
        if b == 2:
            return binary("multiply", a, a)
        if b == 3:
            return binary("multiply", binary("multiply", a, a), a)
        if b == 1:
            return a
    elif isinstance(b, float) and isinstance(a, Array):
        if b == 0.5:
            return unary_float("sqrt", a)
        if b == -0.5:
            return unary_float("rsqrt", a)
        if b == 2.0:
            return binary("multiply", a, a)
    return binary("power", a, b)


def clip(x, low=None, high=None):
    if low is not None:
        x = binary("maximum", x, low)
    if high is not None:
        x = binary("minimum", x, high)
    return x


# Gradients are marked, so that a step written by hand is seen.

def mark(x, scale):
    if isinstance(x, Array):
        x._g = scale
    return x


def _scale_gradient(a, b):
    r = binary("multiply", a, b)
    if _unk(r):
        return r
    ga = getattr(a, "_g", None)
    gb = getattr(b, "_g", None)
    if ga is not None and gb is None:
        r._g = ga * number_or(b, 1.0)
        if number_or(b, None) is None:
            r._by_schedule = True
    elif gb is not None and ga is None:
        r._g = gb * number_or(a, 1.0)
    return r


def _add_gradient(a, b, sign):
    ga = getattr(a, "_g", None)
    gb = getattr(b, "_g", None)
    if gb is not None and not isinstance(a, Array) and id(a) in WEIGHT_OF:
        a = WEIGHT_OF[id(a)][1]
    if ga is None and gb is not None and isinstance(a, Array) and is_weight(a):
        STEPS.append((a, sign * gb))
        if HAND_WRITTEN[0] is not None:
            HAND_WRITTEN[0](-sign * gb)
        return a
    r = binary("add" if sign > 0 else "subtract", a, b)
    if not _unk(r):
        if ga is not None and gb is not None:
            r._g = ga
        elif ga is not None:
            r._g = ga
        elif gb is not None and not is_weight(a):
            r._g = sign * gb
    return r


STEPS = []
WEIGHT_OF = {}
HAND_WRITTEN = [None]


def is_weight(x):
    if x._make is not None and "_h" not in x.__dict__:
        return False
    return _t.is_weight(x._h)


# Moves.

def _fit_shape(shape, size):
    shape = list(shape)
    if -1 in shape:
        i = shape.index(-1)
        rest = 1
        for j in range(len(shape)):
            if j != i:
                rest *= shape[j]
        shape[i] = size // rest if rest else 0
    return shape


def reshape(x, *shape):
    x = as_array(x)
    if _unk(x):
        return x
    shape = _fit_shape(_t.dims(shape), x.size)
    if tuple(shape) == x.shape:
        return x
    if isinstance(x, Key):
        return Key(tuple(shape), x._b)
    if x._b:
        return new(_op("tw.reshape", [x._h], {"shape": sizes_of(x._b) + shape}), x._b)
    cores = _t.replicas(False)
    if x._batch == 0 and shape[0] in (cores, cores // max(1, _t.hosts())) and \
            shape[2:] == list(x.shape[1:]):
        return fed(shape, x.dtype, 1)  # the data of a batch, in a part for each device
    r = new(_op("tw.reshape", [x._h], {"shape": shape}))
    if x._g is not None and not _unk(r):
        r._g = x._g
    return r


def transpose(x, axes):
    n = len(x.shape)
    axes = [a + n if a < 0 else a for a in axes]
    if axes == list(range(n)):
        return x
    k = len(x._b)
    if k:
        axes = list(range(k)) + [a + k for a in axes]
    return new(_op("tw.transpose", [x._h], {"permutation": axes}), x._b)


def swapaxes(x, a, b):
    axes = list(range(len(x.shape)))
    axes[a], axes[b] = axes[b], axes[a]
    return transpose(x, axes)


def moveaxis(x, source, destination):
    x = as_array(x)
    n = len(x.shape)
    source = [s % n for s in _t.dims(source)]
    destination = [d % n for d in _t.dims(destination)]
    order = [i for i in range(n) if i not in source]
    for d, s in sorted(zip(destination, source)):
        order.insert(d, s)
    return transpose(x, order)


def squeeze(x, axis=None):
    x = as_array(x)
    if axis is None:
        shape = [s for s in x.shape if s != 1]
    else:
        n = len(x.shape)
        drop = [a % n for a in _t.dims(axis)]
        shape = [s for i, s in enumerate(x.shape) if i not in drop]
    return reshape(x, shape)


def expand_dims(x, axis):
    x = as_array(x)
    axes = _t.dims(axis)
    n = len(x.shape) + len(axes)
    axes = sorted(a % n for a in axes)
    shape = list(x.shape)
    for a in axes:
        shape.insert(a, 1)
    return reshape(x, shape)


def broadcast_to(x, shape, out_sharding=None):
    x = as_array(x)
    if _unk(x):
        return x
    shape = list(_t.dims(shape))
    if list(x.shape) == shape:
        return x
    if isinstance(x, Key):
        return Key(tuple(shape), x._b)
    k = len(x._b)
    low = len(shape) - len(x.shape)
    dims = list(range(k)) + [k + low + i for i in range(len(x.shape))]
    h = _op("tw.broadcast_in_dim", [x._h], {"shape": sizes_of(x._b) + shape, "dims": dims})
    return new(h, x._b)


def broadcast_in_dim(x, shape, dims):
    x = as_array(x)
    k = len(x._b)
    return new(_op("tw.broadcast_in_dim", [x._h],
                   {"shape": sizes_of(x._b) + list(shape),
                    "dims": list(range(k)) + [k + d for d in dims]}), x._b)


def slice_(x, starts, limits, strides=None):
    k = len(x._b)
    if strides is None:
        strides = [1] * len(starts)
    if k:
        starts = [0] * k + list(starts)
        limits = sizes_of(x._b) + list(limits)
        strides = [1] * k + list(strides)
    return new(_op("tw.slice", [x._h], {"starts": list(starts), "limits": list(limits),
                                        "strides": list(strides)}), x._b)


def concatenate(xs, axis=0):
    xs = [as_array(x) for x in xs]
    for x in xs:
        if _unk(x):
            return x
    if len(xs) == 1:
        return xs[0]
    if isinstance(xs[0], Key):
        shape = list(xs[0].shape)
        shape[axis] = sum(x.shape[axis] for x in xs)
        return Key(tuple(shape), xs[0]._b)
    d = xs[0].dtype
    for x in xs:
        if x.dtype is not d:
            d = _promote_weak(xs[0], x, d, x.dtype)
    # What has no elements adds none.
    xs = [convert(x, d) for x in xs if x.shape[axis] != 0] or xs[:1]
    if len(xs) == 1:
        return xs[0]
    levels = common_levels(xs)
    if levels:
        xs = [fill_levels(x, levels) for x in xs]
    axis = axis % len(xs[0].shape) + len(levels)
    return new(_op("tw.concatenate", [x._h for x in xs], {"dim": axis}), levels)


def stack(xs, axis=0):
    xs = [as_array(x) for x in xs]
    for x in xs:
        if _unk(x):
            return x
    n = len(xs[0].shape) + 1
    return concatenate([expand_dims(x, axis % n) for x in xs], axis % n)


def pad(x, low, high, interior=None, value=0):
    x = as_array(x)
    k = len(x._b)
    low = [0] * k + list(low)
    high = [0] * k + list(high)
    interior = [0] * len(low) if interior is None else [0] * k + list(interior)
    if not any(low) and not any(high) and not any(interior):
        return x
    return new(_op("tw.pad", [x._h], {"value": number_or(value, 0), "low": low, "high": high,
                                      "interior": interior}), x._b)


def reverse(x, dims):
    k = len(x._b)
    return new(_op("tw.reverse", [x._h], {"dims": [k + d % len(x.shape) for d in dims]}), x._b)


def iota(shape, dim, d):
    return new(_op("tw.iota", [], {"shape": list(shape), "dim": dim, "dtype": d.short}))


# Reductions.

def _axes(axis, n):
    if axis is None:
        return list(range(n))
    if isinstance(axis, int):
        return [axis + n if axis < 0 else axis]
    return sorted(a % n for a in _t.dims(list(axis) if isinstance(axis, range) else axis))


_FRACTION = {"mean", "variance", "logsumexp", "l2"}


def reduce(kind, x, axis=None, keep=False, d=None, where=None):
    if not isinstance(x, Array):
        x = as_array(x)
        if _unk(x):
            return x
    if d is not None:
        x = convert(x, d)
    elif kind in ("all", "any"):
        if x.dtype is not bool_:
            x = compare("NE", x, 0)
    elif RANK[x.dtype.short] < 10:
        if kind in _FRACTION:
            x = convert(x, float32)
        elif kind in ("sum", "product") and RANK[x.dtype.short] < 4:
            x = convert(x, uint32 if x.dtype.kind == "u" else int32)
    if where is not None:
        if kind == "mean":
            total = reduce("sum", x, axis, keep, None, where)
            count = reduce("sum", broadcast_to(where, x.shape), axis, keep, x.dtype)
            return binary("divide", total, count)
        neutral = {"max": -3e38, "min": 3e38, "product": 1, "all": True}.get(kind, 0)
        x = select(where, x, neutral)
    n = len(x.shape)
    dims = _axes(axis, n)
    if not dims:
        return x
    k = len(x._b)
    if k:
        dims = [a + k for a in dims]
    return new(_op("tw.reduce", [x._h], {"kind": kind, "dims": dims, "keep": bool(keep)}), x._b)


def arg_reduce(kind, x, axis=None, keep=False):
    x = as_array(x)
    if _unk(x):
        return x
    if axis is None:
        x = reshape(x, (-1,))
        axis = 0
    dim = axis % len(x.shape) + len(x._b)
    return new(_op("tw.arg_reduce", [x._h], {"kind": kind, "dim": dim, "keep": bool(keep)}), x._b)


def cumulative(kind, x, axis=None, reverse=False):
    x = as_array(x)
    if _unk(x):
        return x
    if axis is None:
        x = reshape(x, (-1,))
        axis = 0
    if x.dtype is bool_:
        x = convert(x, int32)
    dim = axis % len(x.shape) + len(x._b)
    return new(_op("tw.cumulative", [x._h], {"kind": kind, "dim": dim, "reverse": reverse}), x._b)


def softmax(x, axis=-1, log=False):
    x = as_array(x)
    if _unk(x):
        return x
    if RANK[x.dtype.short] < 10:
        x = convert(x, float32)
    if not isinstance(axis, int):
        axes = _axes(axis, len(x.shape))
        if len(axes) > 1:
            top = reduce("max", x, axes, True)
            e = unary("exp", binary("subtract", x, top))
            r = binary("divide", e, reduce("sum", e, axes, True))
            return unary("log", r) if log else r
        axis = axes[0]
    dim = axis % len(x.shape) + len(x._b)
    return new(_op("tw.log_softmax" if log else "tw.softmax", [x._h], {"dim": dim}), x._b)


# Products.

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def einsum(equation, xs, d=None, precision=None):
    """`equation` with an arrow, without spaces; of arrays of one type."""
    for digit in [c for c in "0123456789" if c in equation]:
        # Any character is a label to JAX.
        free = [c for c in _LETTERS + _LETTERS.lower() if c not in equation]
        equation = equation.replace(digit, free[0])
    levels = common_levels(xs)
    if levels or "." in equation:
        left, right = equation.split("->")
        terms = left.split(",")
        if "." in equation:
            used = set(equation)
            free = [c for c in _LETTERS + _LETTERS.lower() if c not in used]
            most = 0
            spans = []
            for i, t in enumerate(terms):
                span = len(xs[i].shape) - len(t.replace("...", "")) if "..." in t else 0
                spans.append(span)
                most = max(most, span)
            dots = "".join(free[:most])
            for i, t in enumerate(terms):
                terms[i] = t.replace("...", dots[most - spans[i]:] if spans[i] else "")
            right = right.replace("...", dots)
        if levels:
            used = set("".join(terms))
            free = [c for c in _LETTERS + _LETTERS.lower() if c not in used]
            letter = {b: free[i] for i, b in enumerate(levels)}
            for i, x in enumerate(xs):
                terms[i] = "".join(letter[b] for b in x._b) + terms[i]
            right = "".join(letter[b] for b in levels) + right
        equation = ",".join(terms) + "->" + right
    passes = passes_of(precision, xs[0], xs[len(xs) - 1])
    attrs = {"equation": equation, "precision_passes": passes}
    if d is not None and d is not xs[0].dtype:
        attrs["dtype"] = d.short
    return new(_op("tw.einsum", [x._h for x in xs], attrs), levels)


def passes_of(precision, a, b):
    """In how many passes the matrix unit multiplies float32: `precision` is one, or one each."""
    both = list(precision) if isinstance(precision, (list, tuple)) else [precision]
    words = [str(p).lower() for p in both]
    if a.dtype is not float32 or b.dtype is not float32:
        return 1
    if "highest" in words or "float32" in words:
        return 6
    return 3 if "high" in words or "bfloat16_3x" in words else 1


def dot_general(a, b, lhs_contract, rhs_contract, lhs_batch=(), rhs_batch=(), d=None,
                precision=None):
    a, b, e = pair(a, b)
    if e is None:
        return unknown_of(a, b)
    if a._b or b._b:
        na = len(a.shape)
        nb = len(b.shape)
        la = list("abcdefghijklm"[:na])
        lb = list("nopqrstuvwxyz"[:nb])
        for i, j in zip(list(lhs_batch) + list(lhs_contract), list(rhs_batch) + list(rhs_contract)):
            lb[j] = la[i]
        gone = set(list(lhs_batch) + list(lhs_contract))
        out = [la[i] for i in lhs_batch]
        out += [la[i] for i in range(na) if i not in gone]
        gone = set(list(rhs_batch) + list(rhs_contract))
        out += [lb[i] for i in range(nb) if i not in gone]
        return einsum("".join(la) + "," + "".join(lb) + "->" + "".join(out), [a, b], d, precision)
    attrs = {"lhs_contract": list(lhs_contract), "rhs_contract": list(rhs_contract),
             "lhs_batch": list(lhs_batch), "rhs_batch": list(rhs_batch),
             "precision_passes": passes_of(precision, a, b)}
    if d is not None and d is not e:
        attrs["dtype"] = d.short
    try:
        return new(_op("tw.dot_general", [a._h, b._h], attrs))
    except RuntimeError as error:
        raise TypeError("dot_general: " + str(error))


def matmul(a, b, d=None, precision=None):
    a = as_array(a)
    b = as_array(b)
    a, b, e = pair(a, b)
    if e is None:
        return unknown_of(a, b)
    na = len(a.shape)
    nb = len(b.shape)
    if nb <= 2 or na <= 1:
        return dot_general(a, b, [na - 1], [max(nb - 2, 0)], d=d, precision=precision)
    if a._b or b._b:
        return einsum("...ij,...jk->...ik", [a, b], d, precision)
    attrs = {"precision_passes": passes_of(precision, a, b)}
    if d is not None and d is not e:
        attrs["dtype"] = d.short
    return new(_op("tw.matmul", [a._h, b._h], attrs))


def dot(a, b, precision=None):
    if not a.shape or not b.shape:
        return binary("multiply", a, b)
    return dot_general(a, b, [len(a.shape) - 1], [max(len(b.shape) - 2, 0)], precision=precision)


# Places that are data.

def take(x, idx, axis=None):
    x = as_array(x)
    idx = as_array(idx)
    if _unk(x) or _unk(idx):
        return unknown_of(x, idx)
    if RANK[idx.dtype.short] >= 10 or idx.dtype is bool_:
        idx = convert(idx, int32)
    if axis is None:
        x = reshape(x, (-1,))
        axis = 0
    axis = axis % len(x.shape)
    if not x._b and not idx._b:
        return new(_op("tw.take", [x._h, idx._h], {"axis": axis, "batch_dims": 0}))
    if not idx._b:
        return new(_op("tw.take", [x._h, idx._h], {"axis": axis + len(x._b), "batch_dims": 0}),
                   x._b)
    if not x._b:
        k = len(idx._b)
        h = _op("tw.take", [x._h, idx._h], {"axis": axis, "batch_dims": 0})
        n = len(_t.shape(h))
        front = list(range(axis, axis + k))
        order = front + [i for i in range(n) if i not in front]
        if order != list(range(n)):
            h = _op("tw.transpose", [h], {"permutation": order})
        return new(h, idx._b)
    levels = common_levels([x, idx])
    x = fill_levels(x, levels)
    idx = fill_levels(idx, levels)
    k = len(levels)
    return new(_op("tw.take", [x._h, idx._h], {"axis": axis + k, "batch_dims": k}), levels)


def take_along(x, idx, axis):
    x = as_array(x)
    idx = as_array(idx)
    if _unk(x):
        return x
    if axis is None:
        x = reshape(x, (-1,))
        axis = 0
    if _unk(idx):
        from jax import _standins
        shape = list(x.shape)
        shape[axis] = 1
        idx = _standins.like(idx, shape, int32, x._b)
        if _unk(idx):
            return idx
    levels = common_levels([x, idx])
    if levels:
        x = fill_levels(x, levels)
        idx = fill_levels(idx, levels)
    axis = axis % len(x.shape)
    shape = [a if i == axis or a != 1 else b
             for i, (a, b) in enumerate(zip(idx.shape, x.shape))]
    idx = broadcast_to(idx, shape)
    other = [a if i == axis or a != 1 else b
             for i, (a, b) in enumerate(zip(x.shape, idx.shape))]
    x = broadcast_to(x, other)
    return new(_op("tw.take_along", [x._h, idx._h], {"axis": axis + len(levels)}), levels)


def gather_nd(x, idx):
    levels = common_levels([x, idx])
    if levels:
        x = fill_levels(x, levels)
        idx = fill_levels(idx, levels)
    return new(_op("tw.gather_nd", [x._h, idx._h], {"batch_dims": len(levels)}), levels)


def dynamic_slice(x, starts, sizes):
    x = as_array(x)
    starts = _start_list(starts, len(x.shape))
    sizes = list(_t.dims(sizes))
    fixed = [s if isinstance(s, int) else number_of(s) for s in starts]
    if all(f is not None for f in fixed):
        starts = [max(0, min(int(f), n - m)) for f, n, m in zip(fixed, x.shape, sizes)]
        return slice_(x, starts, [s + m for s, m in zip(starts, sizes)])
    if any(isinstance(s, Array) and s._b for s in starts):
        return _dynamic_slice_mapped(x, starts, sizes)
    k = len(x._b)
    hs = [x._h] + [_t.known(0, "s32") for _ in range(k)]
    for s in starts:
        hs.append(_t.known(s, "s32") if isinstance(s, int) else convert(s, int32)._h)
    return new(_op("tw.dynamic_slice", hs, {"sizes": sizes_of(x._b) + sizes}), x._b)


def _dynamic_slice_mapped(x, starts, sizes):
    for i, s in enumerate(starts):
        if isinstance(s, int) or not s._b:
            one = [m if j == i else n for j, (n, m) in enumerate(zip(x.shape, sizes))]
            x = dynamic_slice(x, [s if j == i else 0 for j in range(len(sizes))], one)
        else:
            x = take(x, binary("add", expand_dims(s, 0), iota([sizes[i]], 0, int32)), i)
    return x


def _start_list(starts, rank):
    if isinstance(starts, Array):
        return [getitem(starts, i) for i in range(rank)] if starts.shape else [starts]
    if isinstance(starts, int):
        return [starts]
    out = []
    for s in starts:
        if isinstance(s, Array):
            s = reshape(s, ())
        elif not isinstance(s, int):
            s = as_array(s)
        out.append(s)
    return out


def dynamic_update_slice(x, update, starts):
    x = as_array(x)
    update = convert(as_array(update), x.dtype)
    starts = _start_list(starts, len(x.shape))
    levels = common_levels([x, update])
    if levels:
        x = fill_levels(x, levels)
        update = fill_levels(update, levels)
    if any(isinstance(s, Array) and s._b for s in starts):
        _t.note("an update at a place of each mapped example is taken as one at a common place")
        starts = [0 for _ in starts]
    hs = [x._h, update._h] + [_t.known(0, "s32") for _ in levels]
    for s in starts:
        hs.append(_t.known(s, "s32") if isinstance(s, int) else convert(s, int32)._h)
    return new(_op("tw.dynamic_update_slice", hs, {}), levels)


def _index_parts(x, index):
    """One entry for each dim of `x` or new dim: int, slice, None or Array."""
    parts = list(index) if isinstance(index, tuple) else [index]
    out = []
    used = 0
    for p in parts:
        if p is None or p is Ellipsis or isinstance(p, (bool, slice)):
            out.append(p)
            if isinstance(p, slice):
                used += 1
            continue
        if isinstance(p, int):
            out.append(p)
            used += 1
            continue
        if _unk(p):
            return None
        if not isinstance(p, Array):
            if isinstance(p, (list, tuple)) or hasattr(p, "shape") or hasattr(p, "_h"):
                p = as_array(p)
            elif hasattr(p, "__index__"):
                p = p.__index__()
        if isinstance(p, Array):
            if p.dtype is bool_:
                used += len(p.shape)
            else:
                used += 1
                if not p.shape:
                    n = number_of(p)
                    if n is not None:
                        p = int(n)
        else:
            used += 1
        out.append(p)
    n = len(x.shape)
    at = [i for i, p in enumerate(out) if p is Ellipsis]
    if at:
        i = at[0]
        out[i:i + 1] = [slice(None)] * (n - used)
    else:
        out += [slice(None)] * (n - used)
    return out


def _bound(v):
    return v if v is None or isinstance(v, int) else v.__index__()


def getitem(x, index):
    if isinstance(index, int) and not isinstance(index, bool):
        n = x.shape[0]
        i = index + n if index < 0 else index
        if i >= n or i < 0:
            raise IndexError("index " + str(index) + " is out of bounds for size " + str(n))
        rest = list(x.shape[1:])
        return reshape(slice_(x, [i] + [0] * len(rest), [i + 1] + rest), rest)
    if index is Ellipsis:
        return x
    if not isinstance(index, tuple) and _unk(index):
        return _t.unknown("an index that is not known")
    parts = _index_parts(x, index)
    if parts is None:
        return _t.unknown("an index that is not known")
    starts, limits, strides, flips, shape, arrays = [], [], [], [], [], []
    dim = 0
    for p in parts:
        if p is None:
            shape.append(1)
            continue
        if isinstance(p, bool):
            return _t.unknown("an index by truth")
        if isinstance(p, Array):
            if p.dtype is bool_:
                return _t.unknown("as many elements as a mask is true for")
            arrays.append((len(shape), p))
            n = x.shape[dim]
            starts.append(0)
            limits.append(n)
            strides.append(1)
            shape.append(n)
            dim += 1
            continue
        n = x.shape[dim]
        if isinstance(p, slice):
            a, b, c = _bound(p.start), _bound(p.stop), _bound(p.step)
            if _unk(a) or _unk(b) or _unk(c):
                return _t.unknown("a slice whose bounds are not known")
            a, b, c = slice(a, b, c).indices(n)
            count = len(range(a, b, c))
            if c < 0:
                flips.append(dim)
                a, b, c = a + (count - 1) * c, a + 1, -c
            starts.append(a)
            limits.append(max(a, b) if count else a)
            strides.append(c)
            shape.append(count)
        else:
            if not n:
                raise IndexError("index " + str(p) + " is out of bounds for size 0")
            i = min(max(p + n if p < 0 else p, 0), n - 1)  # JAX reads the nearest row there is
            starts.append(i)
            limits.append(i + 1)
            strides.append(1)
        dim += 1
    if limits != list(x.shape) or any(starts) or any(s != 1 for s in strides):
        x = slice_(x, starts, limits, strides)
    if flips:
        x = reverse(x, flips)
    x = reshape(x, shape)
    if not arrays:
        return x
    if len(arrays) == 1:
        return take(x, arrays[0][1], arrays[0][0])
    return _many_indices(x, arrays)


def _joined(arrays):
    """Integer arrays broadcast together and stacked along a new last dim."""
    shape = broadcast_shapes(*[a.shape for _, a in arrays])
    arrays = [broadcast_to(convert(a, int32), shape) for _, a in arrays]
    return stack(arrays, len(shape)), shape


def _many_indices(x, arrays):
    dims = [d for d, _ in arrays]
    idx, shape = _joined(arrays)
    n = len(x.shape)
    order = dims + [i for i in range(n) if i not in dims]
    y = gather_nd(transpose(x, order), idx)
    if dims == list(range(dims[0], dims[0] + len(dims))) and dims[0] > 0:
        k = len(shape)
        rest = list(range(k, len(y.shape)))
        y = transpose(y, rest[:dims[0]] + list(range(k)) + rest[dims[0]:])
    return y


def scatter(x, index, values, kind):
    values = as_array(values)
    if _unk(values) or _unk(x):
        return x
    values = convert(values, x.dtype)
    parts = _index_parts(x, index)
    if parts is None:
        _t.note("an update at a place that is not known is left out")
        return x
    arrays = [p for p in parts if isinstance(p, Array)]
    if not arrays:
        return _scatter_fixed(x, parts, values, kind)
    if arrays[0].dtype is bool_:
        return select(arrays[0], values, x)
    whole = all(isinstance(p, Array) or isinstance(p, int) or p == slice(None)
                for p in parts if p is not None)
    if None in parts or not whole:
        _t.note("an update of mixed indices is taken as one of the whole array")
        return binary("add", x, reduce("sum", values))
    dims = [i for i, p in enumerate(parts) if not isinstance(p, slice)]
    picks = [(i, as_array(parts[i])) for i in dims]
    idx, shape = _joined(picks)
    n = len(x.shape)
    order = dims + [i for i in range(n) if i not in dims]
    moved = transpose(x, order)
    target = list(shape) + [moved.shape[i] for i in range(len(dims), n)]
    if dims == list(range(len(dims))) or len(values.shape) < len(target):
        values = broadcast_to(values, target)
    else:
        k = len(shape)
        at = dims[0]
        values = moveaxis(values, list(range(at, at + k)), list(range(k)))
        values = broadcast_to(values, target)
    levels = common_levels([moved, idx, values])
    if levels:
        moved = fill_levels(moved, levels)
        idx = fill_levels(idx, levels)
        values = fill_levels(values, levels)
        idx = _with_places(idx, levels)
    r = new(_op("tw.scatter_nd", [moved._h, idx._h, values._h], {"kind": kind}), levels)
    back = [0] * n
    for i, o in enumerate(order):
        back[o] = i
    return transpose(r, back)


def _with_places(idx, levels):
    """Indices that also say which mapped example they are of."""
    sizes = sizes_of(levels)
    shape = sizes + list(idx.shape[:-1]) + [1]
    hs = [_op("tw.iota", [], {"shape": shape, "dim": i, "dtype": "s32"})
          for i in range(len(sizes))]
    h = _op("tw.concatenate", hs + [idx._h], {"dim": len(shape) - 1})
    return new(h, levels)


def _scatter_fixed(x, parts, values, kind):
    starts, sizes, shape = [], [], []
    dim = 0
    for p in parts:
        if p is None:
            continue
        n = x.shape[dim]
        if isinstance(p, slice):
            a, b, c = p.indices(n)
            count = len(range(a, b, c))
            if c != 1:
                at = known(list(range(a, b, c)), int32) if count <= 4096 else None
                if at is None:
                    _t.note("an update with steps is taken as one of the whole array")
                    return binary("add", x, reduce("sum", values))
                index = [slice(None) if q is None or isinstance(q, slice) else q for q in parts]
                index[dim] = at
                return scatter(x, tuple(index), values, kind)
            starts.append(a)
            sizes.append(count)
            shape.append(count)
        else:
            starts.append(p + n if p < 0 else p)
            sizes.append(1)
        dim += 1
    values = reshape(broadcast_to(values, shape), sizes)
    if kind != "assign":
        old = slice_(x, starts, [s + m for s, m in zip(starts, sizes)])
        name = {"max": "maximum", "min": "minimum"}.get(kind, kind)
        values = binary(name, old, values)
    if sizes == list(x.shape):
        return values
    return dynamic_update_slice(x, values, starts)


def broadcast_shapes(*shapes):
    n = 0
    for s in shapes:
        n = max(n, len(s))
    out = [1] * n
    for s in shapes:
        k = n - len(s)
        for i, m in enumerate(s):
            if m != 1:
                if out[k + i] != 1 and out[k + i] != m:
                    raise ValueError("Incompatible shapes for broadcasting: " + str(shapes))
                out[k + i] = m
    return tuple(out)


# Windows.

def windows(padding, sizes, kernel, strides, rhs_dilation, lhs_dilation=None):
    """Low and high padding of each spatial dim."""
    n = len(kernel)
    if isinstance(padding, str):
        name = padding.upper()
        if name == "VALID":
            return [0] * n, [0] * n
        low, high = [], []
        for i in range(n):
            size = sizes[i]
            if lhs_dilation is not None and size > 0:
                size = (size - 1) * lhs_dilation[i] + 1
            span = (kernel[i] - 1) * rhs_dilation[i] + 1
            out = -(-size // strides[i])
            total = max((out - 1) * strides[i] + span - size, 0)
            half = total // 2
            if name == "SAME_LOWER":
                half = total - half
            low.append(half)
            high.append(total - half)
        return low, high
    if isinstance(padding, int):
        return [padding] * n, [padding] * n
    low, high = [], []
    for p in padding:
        if isinstance(p, int):
            low.append(p)
            high.append(p)
        else:
            low.append(p[0])
            high.append(p[1])
    if len(low) == 1 and n > 1:
        low, high = low * n, high * n
    return low, high


def conv(x, k, strides, padding, lhs_dilation=None, rhs_dilation=None, groups=1, precision=None):
    """A convolution of [batch, spatial.., channels] with [spatial.., in, out]."""
    x, k, d = pair(x, k)
    if d is None:
        return unknown_of(x, k)
    n = len(k.shape) - 2
    strides = [1] * n if strides is None else list(strides)
    lhs_dilation = [1] * n if lhs_dilation is None else list(lhs_dilation)
    rhs_dilation = [1] * n if rhs_dilation is None else list(rhs_dilation)
    low, high = windows(padding, x.shape[1:-1], k.shape[:-2], strides, rhs_dilation, lhs_dilation)
    attrs = {"strides": strides, "low": low, "high": high, "lhs_dilation": lhs_dilation,
             "rhs_dilation": rhs_dilation, "groups": groups, "channels_first": False,
             "precision_passes": passes_of(precision, x, k)}
    if k._b:
        return _conv_of_mapped_kernels(x, k, attrs)
    if x._b:
        levels = x._b
        h = _op("tw.reshape", [x._h], {"shape": [math.prod(sizes_of(levels)) * x.shape[0]]
                                       + list(x.shape[1:])})
        h = _op("tw.conv", [h, k._h], attrs)
        shape = sizes_of(levels) + [x.shape[0]] + list(_t.shape(h))[1:]
        return new(_op("tw.reshape", [h], {"shape": shape}), levels)
    return new(_op("tw.conv", [x._h, k._h], attrs))


def _conv_of_mapped_kernels(x, k, attrs):
    """One convolution for each mapped kernel, as groups of channels."""
    levels = common_levels([x, k])
    x = fill_levels(x, levels)
    k = fill_levels(k, levels)
    m = math.prod(sizes_of(levels))
    xs = list(x.shape)
    ks = list(k.shape)
    h = _op("tw.reshape", [x._h], {"shape": [m] + xs})
    n = len(xs)
    h = _op("tw.transpose", [h], {"permutation": list(range(1, n)) + [0, n]})
    h = _op("tw.reshape", [h], {"shape": xs[:-1] + [m * xs[-1]]})
    g = _op("tw.reshape", [k._h], {"shape": [m] + ks})
    g = _op("tw.transpose", [g], {"permutation": list(range(1, n)) + [0, n]})
    g = _op("tw.reshape", [g], {"shape": ks[:-1] + [m * ks[-1]]})
    attrs["groups"] = attrs["groups"] * m
    h = _op("tw.conv", [h, g], attrs)
    out = list(_t.shape(h))
    h = _op("tw.reshape", [h], {"shape": out[:-1] + [m, ks[-1]]})
    h = _op("tw.transpose", [h], {"permutation": [n - 1] + list(range(n - 1)) + [n]})
    return new(_op("tw.reshape", [h], {"shape": sizes_of(levels) + out[:-1] + [ks[-1]]}), levels)


def reduce_window(kind, x, window, strides, low, high, dilation=None, base=None):
    x = as_array(x)
    k = len(x._b)
    if base is not None and any(b != 1 for b in base):
        x = pad(x, [0] * len(window), [0] * len(window), [b - 1 for b in base])
    dilation = [1] * len(window) if dilation is None else list(dilation)
    attrs = {"kind": kind, "window": [1] * k + list(window), "strides": [1] * k + list(strides),
             "low": [0] * k + list(low), "high": [0] * k + list(high),
             "dilation": [1] * k + dilation}
    return new(_op("tw.reduce_window", [x._h], attrs), x._b)


def select_and_scatter(x, y, window, strides, low, high):
    """Adds y where the maxima of windows of x are."""
    x, y = as_array(x), as_array(y)
    attrs = {"window": list(window), "strides": list(strides), "low": list(low),
             "high": list(high)}
    return new(_op("tw.select_and_scatter", [x._h, y._h], attrs))


# Facts that functions leave for the loss that is made of them.
HINTS = []


def hint(name):
    HINTS.append(name)
