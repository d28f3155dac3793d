"""numpy, on the host: arrays of known numbers, or shapes only. It makes no ops of the device."""

import math
import _python
import _tilewise

pi, e, inf, nan, newaxis, euler_gamma = math.pi, math.e, math.inf, math.nan, None, 0.5772156649
Inf = infty = inf
NaN = NAN = nan
__version__ = "1.26.0"
_LIMIT = 4096  # elements that are kept
# The module has functions of these names.
_builtin_sum, _builtin_min, _builtin_max, _builtin_any, _builtin_all = sum, min, max, any, all
_abs, _round = abs, round


# ---- types


class dtype:
    """Of elements; called, it makes a number or an array."""

    def __new__(cls, name, code=None, itemsize=0, kind=""):
        return _type(name) if code is None else object.__new__(cls)

    def __init__(self, name, code=None, itemsize=0, kind=""):
        if code is None:
            return
        self.name, self.code, self.itemsize, self.kind = name, code, itemsize, kind
        self.__name__ = name
        self.type = self

    def __call__(self, value=0):
        if isinstance(value, (list, tuple, ndarray)):
            return array(value, dtype=self)
        if _tilewise.is_unknown(value) or isinstance(value, str):
            return float(value) if isinstance(value, str) else value
        return _cast(value, self.code)

    def __repr__(self):
        return "dtype('" + self.name + "')"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        return self.code == getattr(_type(other), "code", None) if other is not None else False

    def __hash__(self):
        return hash(self.name)


_TYPES = {name: dtype(name, code, size, kind) for name, code, size, kind in (
    ("bool_", "pred", 1, "b"), ("uint8", "u8", 1, "u"), ("int8", "s8", 1, "i"),
    ("int16", "s16", 2, "i"), ("uint16", "u16", 2, "u"), ("int32", "s32", 4, "i"),
    ("uint32", "u32", 4, "u"), ("int64", "s64", 8, "i"), ("uint64", "u64", 8, "u"),
    ("float16", "f16", 2, "f"), ("float32", "f32", 4, "f"), ("float64", "f64", 8, "f"),
    ("complex64", "c64", 8, "c"), ("complex128", "c128", 16, "c"))}
bool_, uint8, int8, int16, uint16, int32, uint32, int64, uint64 = (
    _TYPES[n] for n in ("bool_", "uint8", "int8", "int16", "uint16", "int32", "uint32", "int64",
                        "uint64"))
float16, float32, float64, complex64, complex128 = (
    _TYPES[n] for n in ("float16", "float32", "float64", "complex64", "complex128"))
int_ = intp = long = longlong = int64
float_ = double = float64
single, half, ubyte, byte = float32, float16, uint8, int8
_BY_CODE = {t.code: t for t in _TYPES.values()}
_ORDER = ["pred", "u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "bf16", "f16", "f32", "f64",
          "c64", "c128"]


class generic:
    pass


class number(generic):
    pass


class integer(number):
    pass


class floating(number):
    pass


def _type(kind):
    if isinstance(kind, dtype):
        return kind
    if kind is None or kind is float:
        return float64
    if kind is int:
        return int64
    if kind is bool:
        return bool_
    if isinstance(kind, str):
        short = {"f": "float32", "d": "float64", "i": "int32", "f4": "float32", "f8": "float64",
                 "f2": "float16", "i4": "int32", "i8": "int64",
                 "u1": "uint8", "bool": "bool_", "float": "float64", "int": "int64"}
        return _TYPES[short.get(kind.lstrip("<>="), kind.lstrip("<>="))]
    return _BY_CODE.get(getattr(kind, "code", "f64"), float64)


def _cast(v, code):
    if code == "pred":
        return bool(v)
    if code[0] in "su":
        return int(v)
    return v if code[0] == "c" else float(v)


def _code_of_number(v):
    return "pred" if isinstance(v, bool) else "s64" if isinstance(v, int) else \
        "c128" if isinstance(v, complex) else "f64"


# ---- the array

_PLAIN_INDEX = {int, slice}
_LONG = 100000


class ndarray:
    _batch = None  # the dim that counts examples, of data that a data set gave
    _guess = None  # what is likely of truths that are not known
    _examples = None  # how many rows of a larger array it holds
    _mean = None  # the mean of random numbers, which decisions of the host are taken with
    _open = None  # why what it holds is not known, where its values were assumed
    __tilewise_forgets__ = "_values"  # where branches of the program differ in them

    def __init__(self, shape, dtype=None, values=None):
        self.shape, self.dtype, self._values = tuple(shape), _type(dtype), values

    @classmethod
    def _of(cls, tensor):
        shape = tensor.shape
        if None in shape:
            shape = _tilewise.shape(tensor._h)
        kept = _tilewise.numbers(tensor._h)
        x = cls(shape, _BY_CODE.get(_tilewise.dtype(tensor._h), float32),
                None if kept is None else _flat(kept))
        x._batch = getattr(tensor, "_batch", None)
        return x

    def _with_batch(self, *of):
        """Marks what was computed of arrays of examples."""
        for a in of:
            at = getattr(a, "_batch", None)
            if at is not None and self.ndim > at and self.shape[at] == a.shape[at]:
                self._batch, self._examples = at, a._examples
        return self

    @property
    def _t(self):
        from torch._tensor import tensor, wrap
        if self._values is not None and len(self._values) > 0:
            return tensor(self.tolist(), dtype=self.dtype)
        x = wrap(_tilewise.input(list(self.shape), self.dtype.code, "", self._batch))
        x._host = True
        return x

    @property
    def real(self):
        return ndarray(self.shape, float64) if self.dtype.kind == "c" else self

    @property
    def imag(self):
        return ndarray(self.shape, float64 if self.dtype.kind == "c" else self.dtype)

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def T(self):
        return self.transpose()

    @property
    def real(self):
        return self._part("real") if self.dtype.kind == "c" else self

    @property
    def imag(self):
        return self._part("imag") if self.dtype.kind == "c" else zeros_like(self)

    def _part(self, name):
        half = float32 if self.dtype.itemsize == 8 else float64
        if self._values is None:
            return ndarray(self.shape, half)
        return ndarray(self.shape, half, [
            getattr(v, name) if isinstance(v, complex) else v if name == "real" else 0.0
            for v in self._values])

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    @property
    def flat(self):
        return iter(self.ravel())

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        if self._values is None:
            rest = self.shape[1:]
            if not rest and self._mean is not None:
                return iter([self._mean] * self.shape[0])
            if not rest and (self.shape[0] > _LONG or
                             _tilewise.open_size(self.shape[0]) is None):
                # Nobody needs to go through so many numbers that are not known.
                return iter(_tilewise.unknown("a number of an array of " + str(self.shape[0])))
            return (ndarray(rest, self.dtype) for _ in range(self.shape[0]))
        return iter([self[i] for i in range(self.shape[0])])

    def __repr__(self):
        return "array(" + str(self.shape) + ")"

    def __hash__(self):
        return id(self)

    def __format__(self, spec):
        found = self._values
        return format(found[0], spec) if found and self.shape == () else str(self)

    def tobytes(self, order="C"):
        return _tilewise.unknown("bytes of an array that the program computes of its data")

    def tolist(self):
        if self._values is None or _tilewise.is_unknown(self.shape) or \
                _tilewise.is_unknown(self._values):
            return _tilewise.unknown("numbers of an array that the program computes of its data")
        return _nested(self._values, self.shape)

    def item(self, *index):
        v = self.tolist()
        while isinstance(v, list):
            v = v[0]
        return v

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __bool__(self):
        return bool(self.item())

    __index__ = __int__

    def astype(self, dtype, copy=True):
        kind = _type(dtype)
        values = self._values
        if values is None and self._mean is None:
            x = ndarray(self.shape, kind)
            x._batch, x._examples = self._batch, self._examples
            return x
        if values is not None:
            cast = "int" if kind.code[0] in "su" else "float" if kind.kind == "f" else ""
            done = _python.each(cast, values)
            values = [_cast(v, kind.code) for v in values] if done is None else done
        x = ndarray(self.shape, kind, values)._with_batch(self)
        if self._mean is not None:
            x._mean = _cast(self._mean, kind.code)
        return x

    def copy(self):
        values = None if self._values is None else list(self._values)
        return ndarray(self.shape, self.dtype, values)._with_batch(self)

    def fill(self, value):
        self._values = [value] * self.size if self.size <= _LIMIT else None

    def reshape(self, *shape, order="C"):
        shape = _tilewise.dims(shape)
        if -1 in shape:
            shape[shape.index(-1)] = self.size // _builtin_max(-math.prod(shape), 1)
        x = ndarray(shape, self.dtype, self._values)
        if self._batch == 0 and len(shape) > 1 and shape[0] * shape[1] == self.shape[0] and \
                shape[0] != self.shape[0]:
            x._batch, x._examples = 1, self._examples
            return x
        return x._with_batch(self)

    def ravel(self, order="C"):
        return self.reshape(-1)

    flatten = ravel

    def squeeze(self, axis=None):
        return self.reshape([n for d, n in enumerate(self.shape)
                             if n != 1 or (axis is not None and d != axis % self.ndim)])

    def transpose(self, *axes):
        order = _tilewise.dims(axes) if axes and axes[0] is not None else \
            list(range(self.ndim - 1, -1, -1))
        if len(order) != self.ndim:
            return _tilewise.unknown("an array of a rank that is not known")
        shape = [self.shape[d] for d in order]
        if self._values is None:
            return ndarray(shape, self.dtype)
        strides = _strides(self.shape)
        strides = [strides[d] for d in order]
        return ndarray(shape, self.dtype, _strided(self._values, shape, strides))

    def swapaxes(self, a, b):
        order = list(range(self.ndim))
        order[a], order[b] = order[b], order[a]
        return self.transpose(order)

    def _places(self, index):
        """Shape, and where its elements are; None when that is not known."""
        items = list(index) if isinstance(index, tuple) else [index]
        if Ellipsis in [i if i is Ellipsis else None for i in items]:
            at = [i is Ellipsis for i in items].index(True)
            n = self.ndim - len([i for i in items if i is not None and i is not Ellipsis])
            items[at:at + 1] = [slice(None, None, None)] * n
        shape, choices, d, known, arrays, places = [], [], 0, True, [], None
        for item in items:
            if item is None:
                shape.append(1)
                continue
            if d >= self.ndim and 0 in self.shape:
                return None, None
            n = self.shape[d]
            if isinstance(item, slice):
                step = 1 if item.step is None else int(item.step)
                if step > 0:
                    a, b = _edge(item.start, n, 0), _edge(item.stop, n, n)
                else:
                    a = n - 1 if item.start is None else _edge(item.start, n, 0)
                    b = -1 if item.stop is None else _edge(item.stop, n, 0)
                count = _builtin_max(0, -(-(b - a) // step))
                shape.append(count)
                choices.append((a, step, count))
            elif isinstance(item, (list, tuple, range, ndarray)) or hasattr(item, "_h"):
                part = array(item)
                if part.dtype == bool_ and part.ndim > 1:
                    known = False
                    shape.append(math.prod(self.shape[d:d + part.ndim]))
                    d += part.ndim - 1
                elif part.dtype == bool_:
                    if part._values is None:
                        known, count = False, n
                    else:
                        rows = [i for i, v in enumerate(part._values) if v]
                        part, count = array(rows, dtype=int64), len(rows)
                    shape.append(count)
                elif places is not None:
                    # Arrays of places go together: side by side, or else in front.
                    before, first, rank = places
                    joint = list(_joint(tuple(shape[first:first + rank]), part.shape))
                    del shape[first:first + rank]
                    if before != len(choices) - 1:
                        first = 0
                    shape[first:first] = joint
                    places = (len(choices), first, len(joint))
                else:
                    places = (len(choices), len(shape), len(part.shape))
                    shape.extend(part.shape)
                arrays.append(len(choices))
                choices.append(part._values)
                if part._values is None:
                    known = False
            elif _tilewise.is_unknown(item):
                known = False
            else:
                i = int(item)
                choices.append((i + n if i < 0 else i, 1, -1))
            d += 1
        for n in self.shape[d:]:
            shape.append(n)
            choices.append((0, 1, n))
        if not known or self._values is None or math.prod(shape) > _LIMIT or len(arrays) > 1:
            return shape, None
        offsets = [0]
        for choice, stride in zip(choices, _strides(self.shape)):
            if isinstance(choice, tuple):
                a, step, count = choice
                steps = [(a + i * step) * stride for i in range(1 if count < 0 else count)]
            else:
                steps = [i * stride for i in choice]
            offsets = [o + s for o in offsets for s in steps]
        return shape, offsets

    def _rows(self, start, stop):
        n = self.shape[0]
        if _tilewise.is_unknown(n):
            n = stop + 1 if stop >= 0 else n  # a batch of rows is full
        if stop < 0 or start >= n:
            stop = stop + n if stop < 0 else stop
        count = _builtin_max(0, _builtin_min(stop, n) - start)
        x = ndarray((count,) + self.shape[1:], self.dtype)
        if 1 < count < n:
            x._batch, x._examples = 0, count
        x._mean = self._mean if len(self.shape) == 1 else None
        return x

    def __getitem__(self, index):
        if _tilewise.is_unknown(index):
            return index if self.ndim < 2 else ndarray(self.shape[1:], self.dtype)
        if self._values is None and self._batch is None:
            if isinstance(index, int):
                if self._mean is not None and len(self.shape) == 1:
                    return self._mean
                return ndarray(self.shape[1:], self.dtype)
            if type(index) is slice and type(index.start) is int and \
                    type(index.stop) is int and 0 <= index.start and index.step is None:
                return self._rows(index.start, index.stop)
            if isinstance(index, tuple) and set(map(type, index)) <= _PLAIN_INDEX and \
                    len(index) <= len(self.shape):
                return ndarray([len(range(n)[i]) for n, i in zip(self.shape, index)
                                if not isinstance(i, int)] + list(self.shape[len(index):]),
                               self.dtype)
        shape, offsets = self._places(index)
        if shape is None:
            return _tilewise.unknown("a column of an array that no file filled")
        if self._values is None or offsets is None:
            x = ndarray(shape, self.dtype)._with_batch(self)
            if isinstance(index, int) and self._batch:
                # One device's part of a batch that is spread over them.
                x._batch, x._examples = self._batch - 1, self._examples
            if x._batch is None and shape and self._values is None and \
                    1 < shape[0] < self.shape[0] and \
                    (self.ndim == len(shape) or _picks(index, shape)):
                x._batch, x._examples = 0, shape[0]
            x._mean = self._mean if len(shape) == 1 else None
            return x
        if not shape:
            return self._values[offsets[0]]
        return ndarray(shape, self.dtype, [self._values[o] for o in offsets])

    def __setitem__(self, index, value):
        if _tilewise.is_unknown(index) or _tilewise.is_unknown(value):
            self._values = None
            return
        if self.shape == () and isinstance(index, ndarray) and index.shape == ():
            if index._values is None or self._values is None:
                self._values = None
            elif index._values[0]:  # a[a == inf] = largest, of a single number
                self._values = [value]
            return
        shape, offsets = self._places(index)
        if self._values is None:
            return
        values = array(value)._values if not isinstance(value, (int, float)) else [value]
        if offsets is None or values is None:
            self._values = None
            return
        if len(values) != len(offsets):
            values = broadcast_to(array(value), shape)._values
        self._values = list(self._values)
        for o, v in zip(offsets, values):
            self._values[o] = v

    # -- arithmetic; reductions are functions of the module

    def __neg__(self):
        return _map(lambda v: -v, self)

    def __abs__(self):
        return _map(_abs, self)

    def __invert__(self):
        return _map(lambda v: not v if isinstance(v, bool) else ~v, self)

    def __matmul__(self, other):
        return NotImplemented if _leads(other) else matmul(self, other)

    def __rmatmul__(self, other):
        return matmul(other, self)

    def __getattr__(self, name):
        if name in _METHODS:
            function = _METHODS[name]
            return lambda *args, **kwargs: function(self, *args, **kwargs)
        if self.shape == () and self._values is None and name[:1] != "_" and hasattr("", name):
            return _tilewise.unknown("a text of data that is not read")
        raise AttributeError("'ndarray' object has no attribute '" + name + "'")


def _picks(index, shape):
    """Whether an array of places picks rows, as starts and offsets of sequences do."""
    return isinstance(index, ndarray) and index.ndim == 2 and index.dtype.kind in "iu" and \
        len(shape) > 1


def _edge(value, n, default):
    if value is None:
        return default
    value = int(value)
    return _builtin_max(value + n, 0) if value < 0 else _builtin_min(value, n)


def _strides(shape):
    strides, n = [], 1
    for size in reversed(shape):
        strides.insert(0, n)
        n *= size
    return strides


def _strided(values, shape, strides):
    found = _python.strided(values, shape, strides)
    if found is not None:
        return found
    offsets = [0]
    for n, stride in zip(shape, strides):
        offsets = [o + i * stride for o in offsets for i in range(n)]
    return [values[o] for o in offsets]


def _flat(values):
    if _tilewise.is_unknown(values) or not isinstance(values, (list, tuple)):
        return [values]
    result = []
    for v in values:
        result.extend(_flat(v))
    return result


def _nested(values, shape):
    if len(shape) == 0:
        return values[0]
    if len(shape) == 1:
        return list(values)
    n = math.prod(shape[1:])
    return [_nested(values[i * n:(i + 1) * n], shape[1:]) for i in range(shape[0])]


def broadcast_to(a, shape):
    a, shape = array(a), tuple(shape)
    if a.shape == shape:
        return a
    if a._values is None or math.prod(shape) > _LIMIT:
        return ndarray(shape, a.dtype)
    lead = len(shape) - a.ndim
    strides = [0] * lead + [0 if n == 1 else s for n, s in zip(a.shape, _strides(a.shape))]
    return ndarray(shape, a.dtype, _strided(a._values, shape, strides))


def _joint(*shapes):
    rank = _builtin_max([len(s) for s in shapes])
    result = [1] * rank
    for s in shapes:
        for i, n in enumerate(s):
            if n != 1:
                result[rank - len(s) + i] = n
    return tuple(result)


def _map(function, a, kind=None, name=None):
    if not isinstance(a, ndarray):
        if _tilewise.is_unknown(a):
            return a
        if isinstance(a, (list, tuple)) or hasattr(a, "_h") or hasattr(a, "__array__"):
            return _map(function, array(a), kind)
        return function(a)
    values = a._values
    if values is not None:
        done = None if name is None else _python.each(name, values)
        values = [function(v) for v in values] if done is None else done
    return ndarray(a.shape, kind or a.dtype, values)._with_batch(a)


def _zip(function, a, b, kind=None, name=None):
    if not isinstance(a, ndarray) and not isinstance(b, ndarray):
        if not isinstance(a, (list, tuple)) and not isinstance(b, (list, tuple)):
            return function(a, b)
    a, b = [ndarray((), float64) if _tilewise.is_unknown(v) else v for v in (a, b)]
    if kind is None:
        kind = _joint_type(a, b)
    if isinstance(b, (int, float)) and isinstance(a, ndarray) and a._values is None:
        return ndarray(a.shape, kind)._with_batch(a)
    a, b = array(a), array(b)
    shape = _joint(a.shape, b.shape)
    if a._values is None or b._values is None:
        return ndarray(shape, kind)._with_batch(a, b)
    a, b = broadcast_to(a, shape), broadcast_to(b, shape)
    if a._values is None or b._values is None:
        return ndarray(shape, kind)
    values = None if name is None else _python.together(name, a._values, b._values)
    if values is None:
        values = [function(x, y) for x, y in zip(a._values, b._values)]
    return ndarray(shape, kind, values)


def _leads(b):
    """Whether an operand is a tensor, whose class has the operator."""
    return hasattr(b, "__array_priority__") and hasattr(b, "_h")


def _joint_type(a, b):
    if not isinstance(a, ndarray):
        a, b = b, a
    s = array(a).dtype.code
    if _tilewise.is_unknown(s) or not isinstance(b, (int, float)) and \
            _tilewise.is_unknown(array(b).dtype):
        return float64
    if isinstance(b, (int, float)) and isinstance(a, ndarray):
        t = _code_of_number(b)
        same = t == "pred" or s[0] not in "psu" or t == "s64" and s != "pred"
        return _BY_CODE[s if same else t]
    t = array(b).dtype.code
    return _BY_CODE[s if _ORDER.index(s) >= _ORDER.index(t) else t]


def _divide(a, b):
    return a / b if b else math.copysign(inf, a) if a else nan


def _floor_divide(a, b):
    return a // b


def _divided_type(a, b):
    kind = _joint_type(a, b)
    return kind if kind.kind in "fc" else float64


for _name, _f in (("add", lambda a, b: a + b), ("sub", lambda a, b: a - b),
                  ("mul", lambda a, b: a * b), ("floordiv", _floor_divide),
                  ("mod", lambda a, b: a % b), ("pow", lambda a, b: a ** b),
                  ("and", lambda a, b: a & b), ("or", lambda a, b: a | b),
                  ("xor", lambda a, b: a ^ b)):
    setattr(ndarray, "__" + _name + "__",
            lambda a, b, f=_f, n=_name: NotImplemented if _leads(b) else _zip(f, a, b, None, n))
    setattr(ndarray, "__r" + _name + "__", lambda a, b, f=_f, n=_name: _zip(f, b, a, None, n))
ndarray.__truediv__ = lambda a, b: NotImplemented if _leads(b) else \
    _zip(_divide, a, b, _divided_type(a, b), "div")
ndarray.__rtruediv__ = lambda a, b: _zip(_divide, b, a, _divided_type(a, b), "div")
for _name, _f in (("eq", lambda a, b: a == b), ("ne", lambda a, b: a != b),
                  ("lt", lambda a, b: a < b), ("le", lambda a, b: a <= b),
                  ("gt", lambda a, b: a > b), ("ge", lambda a, b: a >= b)):
    setattr(ndarray, "__" + _name + "__", lambda a, b, f=_f, g=_name: _guessed(_zip(f, a, b, bool_,
                                                                                 g), g == "gt"))


def _guessed(x, likely):
    if likely and isinstance(x, ndarray) and x._values is None:
        x._guess = True
    return x



# ---- making arrays


_PLAIN = {int, float, bool}


def array(object, dtype=None, copy=True, ndmin=0, order=None):
    if _tilewise.is_unknown(object):
        return object
    if isinstance(object, ndarray):
        return object if dtype is None else object.astype(dtype)
    if hasattr(object, "_h"):
        x = ndarray._of(object)
        return x if dtype is None else x.astype(dtype)
    if hasattr(object, "__array__"):
        return array(object.__array__(), dtype)
    if hasattr(object, "channels"):
        shape = (object.height, object.width) + ((object.channels,) if object.channels > 1 else ())
        return ndarray(shape, dtype or uint8)
    if hasattr(object, "__iter__") and not isinstance(object, (list, tuple, str)):
        object = list(object)
    if isinstance(object, range):
        object = list(object)
    shape, part = [], object
    unknown = _tilewise.is_unknown
    if isinstance(object, list) and not object:
        import io
        if io.absent:
            return unknown_filled()
    while not unknown(part) and isinstance(part, (list, tuple)):
        shape.append(_tilewise.part_size(part) or len(part))
        part = part[0] if part else None
    if not unknown(part) and isinstance(part, ndarray):
        if len(shape) > 1:
            return stack([array(o) for o in object])
        x = stack(list(object))
        return x if dtype is None else x.astype(dtype)
    if len(shape) == 1 and shape[0] > _LIMIT and set(map(type, object)) <= _PLAIN:
        return ndarray(shape, dtype or (float64 if float in set(map(type, object)) else int64))
    if len(shape) == 2 and shape[0] * shape[1] > 4 * _LIMIT and not _tilewise.is_unknown(part):
        # Of so many numbers none is kept; their type is that of all rows.
        kinds = [set(map(type, row)) for row in object]
        if _builtin_all([len(row) == shape[1] for row in object]) and \
                _builtin_all([k <= _PLAIN for k in kinds]):
            is_real = _builtin_any([float in k for k in kinds])
            return ndarray(shape, dtype or (float64 if is_real else int64))
    values = _flat(object)
    known = [not _tilewise.is_unknown(v) for v in values]
    if not _builtin_all(known):
        of_part = _tilewise.part_size(object) is not None
        if values and not _builtin_any(known) and not (of_part and dtype is not None):
            return values[0]  # arrays of any rank may be what is not known
        return ndarray(shape, dtype)
    values = [v.item() if hasattr(v, "_h") else v for v in values]
    if dtype is None:
        codes = [_code_of_number(v) for v in values]
        code = "f64" if not codes else _builtin_max(codes, key=_ORDER.index)
        kind = _BY_CODE[code]
    else:
        kind = _type(dtype)
    if values and isinstance(values[0], (int, float)):
        values = [_cast(v, kind.code) for v in values]
    # A part of an open list has fewer items than it stands for.
    kept = len(values) <= 8 * _LIMIT and len(values) == math.prod(shape)
    made = ndarray(shape, kind, values if kept else None)
    if isinstance(object, (list, tuple)):
        made._open = _tilewise.open_reason(object)
    return made


def unknown_filled():
    return _tilewise.unknown("the elements of a list that is filled from files")


def asarray(a, dtype=None, order=None):
    return array(a, dtype)


ascontiguousarray = asanyarray = asfortranarray = copy = asarray


def full(shape, fill_value, dtype=None, order=None):
    shape = _tilewise.dims((shape,))
    kind = _type(dtype) if dtype is not None else _BY_CODE[_code_of_number(fill_value)]
    n = math.prod(shape)
    return ndarray(shape, kind, [_cast(fill_value, kind.code)] * n if n <= _LIMIT else None)


def zeros(shape, dtype=None, order=None):
    return full(shape, 0, float64 if dtype is None else dtype)


def ones(shape, dtype=None, order=None):
    return full(shape, 1, float64 if dtype is None else dtype)


empty = zeros


def full_like(a, fill_value, dtype=None):
    return full(array(a).shape, fill_value, dtype or array(a).dtype)


def zeros_like(a, dtype=None):
    return full_like(a, 0, dtype)


def ones_like(a, dtype=None):
    return full_like(a, 1, dtype)


empty_like = zeros_like


def arange(start, stop=None, step=1, dtype=None):
    if stop is None:
        start, stop = 0, start
    if _builtin_any([_tilewise.is_unknown(v) for v in (start, stop, step)]):
        return ndarray([_tilewise.unknown("how long a range is")], dtype or int64)
    n = _builtin_max(0, math.ceil((stop - start) / step))
    if n > _LIMIT:
        return ndarray([n], dtype or int64)
    return array([start + i * step for i in range(n)],
                 dtype or (None if n else _BY_CODE[_code_of_number(start)]))


def linspace(start, stop, num=50, endpoint=True, dtype=None):
    step = (stop - start) / _builtin_max(num - 1 if endpoint else num, 1)
    return array([start + i * step for i in range(num)], dtype or float64)


def logspace(start, stop, num=50, base=10.0):
    return array([base ** v for v in linspace(start, stop, num)._values])


def geomspace(start, stop, num=50):
    return array([start * (stop / start) ** (i / _builtin_max(num - 1, 1)) for i in range(num)])


def eye(n, m=None, dtype=None):
    m = n if m is None else m
    if n * m > _LIMIT:
        return ndarray([n, m], dtype or float64)
    return array([[1.0 if i == j else 0.0 for j in range(m)] for i in range(n)], dtype)


identity = eye


def memmap(filename, dtype=uint8, mode="r", offset=0, shape=None, order="C"):
    """A file of data, whose length matters to nothing that is compiled."""
    return ndarray(shape if shape is not None else [1 << 22], dtype)


def fromfile(file, dtype=float64, count=-1, **options):
    if count < 0 and hasattr(file, "_size"):
        count = len(file.read()) // _type(dtype).itemsize
    return ndarray([count if count >= 0 else 1 << 22], dtype)


def frombuffer(buffer, dtype=float64, count=-1, offset=0):
    if count < 0 and hasattr(buffer, "__len__") and not _tilewise.is_unknown(buffer):
        count = (len(buffer) - offset) // _type(dtype).itemsize
    return ndarray([count if count >= 0 else 1 << 20], dtype)


def load(file, *args, **kwargs):
    if isinstance(file, str):
        from _tilewise_files import archive
        made = archive(file)
        if made is not None:
            return made
    from numpy._more import weights_of
    made = weights_of(file)
    what = "what the file " + file + " holds" if isinstance(file, str) else "what a file holds"
    return _tilewise.unknown(what) if made is None else made


def save(*args, **kwargs):
    pass


savez = savetxt = set_printoptions = save


def seterr(**options):
    return {}


# ---- functions of elements


def _safe(function):
    def safe(v):
        try:
            return function(v)
        except (ValueError, OverflowError, ZeroDivisionError):
            return nan
    return safe


def _elementwise(function, name=None):
    safe = _safe(function)

    def of(x, out=None, where=True, dtype=None):
        if type(x) in _PLAIN:
            return _Float(safe(x))
        return _map(safe, x, float64 if isinstance(x, ndarray) and x.dtype.kind not in "fc"
                    else None, name)
    return of


(sqrt, exp, log, log2, log10, log1p, expm1, sin, cos, tan, tanh, arctan, arcsin, arccos, sinh,
 cosh) = (
    _elementwise(f, f.__name__) for f in (
        math.sqrt, math.exp, math.log, math.log2, math.log10, math.log1p, math.expm1, math.sin,
        math.cos, math.tan, math.tanh, math.atan, math.asin, math.acos, math.sinh, math.cosh))
ceil, floor, rint, trunc = (
    _elementwise(f) for f in (lambda v: float(math.ceil(v)), lambda v: float(math.floor(v)),
                              lambda v: float(_round(v)), lambda v: float(math.trunc(v))))
square = lambda x: _map(lambda v: v * v, x)
reciprocal = lambda x: _map(lambda v: _divide(1.0, v), x)
deg2rad = radians = _elementwise(math.radians)


def isnan(x):
    made = _map(lambda v: v != v, x, bool_)
    if isinstance(made, ndarray) and made._values is None:
        made._guess = False
    return made


isfinite = lambda x: _map(lambda v: v == v and _abs(v) != inf, x, bool_)
isinf = lambda x: _map(lambda v: _abs(v) == inf, x, bool_)
abs = absolute = fabs = lambda x: _map(_abs, x, None, "abs")
sign = lambda x: _map(lambda v: (v > 0) - (v < 0), x)
negative = lambda x: _map(lambda v: -v, x)
logical_not = lambda x: _map(lambda v: not v, x, bool_)


def round(x, decimals=0, out=None):
    return _map(lambda v: float(_round(v, decimals)) if isinstance(v, float) else v, x)


around = round_ = round


def _binary(function, kind=None, name=None):
    def of(a, b, out=None, where=True, dtype=None):
        if type(a) in _PLAIN and type(b) in _PLAIN:
            return function(a, b)
        return _zip(function, a, b, kind, name)
    return of


add, subtract, multiply = (
    _binary(f) for f in (lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b))
divide = true_divide = lambda a, b: array(a) / b if isinstance(a, (list, tuple)) else a / b
floor_divide, mod, remainder, power = (
    _binary(f) for f in (_floor_divide, lambda a, b: a % b, lambda a, b: a % b,
                         lambda a, b: a ** b))
maximum = _binary(lambda a, b: a if a >= b else b, None, "max")
minimum = _binary(lambda a, b: a if a <= b else b, None, "min")
arctan2, hypot = _binary(math.atan2), _binary(math.hypot)
equal, not_equal, less, greater, less_equal, greater_equal = (
    _binary(f, bool_) for f in (
        lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b, lambda a, b: a > b,
        lambda a, b: a <= b, lambda a, b: a >= b))
logical_and, logical_or = (
    _binary(f, bool_) for f in (lambda a, b: bool(a and b), lambda a, b: bool(a or b)))
bitwise_and, bitwise_or = _binary(lambda a, b: a & b), _binary(lambda a, b: a | b)


def clip(a, a_min=None, a_max=None, out=None):
    a = a if a_min is None else maximum(a, a_min)
    return a if a_max is None else minimum(a, a_max)


def where(condition, x=None, y=None):
    if x is None:
        c = array(condition)
        if c._values is None:
            return (ndarray([c.size], int64),) * c.ndim
        rows = [i for i, v in enumerate(c._values) if v]
        return tuple([array([i // s % n for i in rows], dtype=int64)
                      for s, n in zip(_strides(c.shape), c.shape)])
    c, a, b = array(condition), array(x), array(y)
    shape = _joint(c.shape, a.shape, b.shape)
    c, a, b = [broadcast_to(v, shape) for v in (c, a, b)]
    if c._values is None or a._values is None or b._values is None:
        return ndarray(shape, _joint_type(a, b))
    return ndarray(shape, _joint_type(a, b),
                   [p if k else q for k, p, q in zip(c._values, a._values, b._values)])


def nonzero(a):
    return where(a)


def interp(x, xp, fp):
    xs, fs = list(array(xp)._values), list(array(fp)._values)

    def at(v):
        if v <= xs[0]:
            return float(fs[0])
        for a, b, p, q in zip(xs, xs[1:], fs, fs[1:]):
            if v <= b:
                return p + (q - p) * (v - a) / (b - a)
        return float(fs[-1])
    return _map(at, x, float64)


# ---- reductions


def _reduction(function, kind=None):
    def reduced(a, axis=None, dtype=None, out=None, keepdims=False, **options):
        if _tilewise.is_unknown(a):
            return a
        a = array(a)
        to = kind or a.dtype
        if axis is None:
            return ndarray((), to) if a._values is None else function(a._values)
        dims = [axis] if isinstance(axis, int) else list(axis)
        dims = [d % a.ndim for d in dims]
        kept = [d for d in range(a.ndim) if d not in dims]
        shape = [a.shape[d] for d in kept]
        final = [1 if d in dims else n for d, n in enumerate(a.shape)] if keepdims else shape
        if a._values is None:
            return ndarray(final, to)
        b = a.transpose(kept + dims)
        n = math.prod([a.shape[d] for d in dims])
        values = [function(b._values[i * n:(i + 1) * n]) for i in range(math.prod(shape))]
        return ndarray(final, to, values) if final else values[0]
    return reduced


def _var(values):
    m = _builtin_sum(values) / len(values)
    return _builtin_sum([(v - m) ** 2 for v in values]) / len(values)


def _median(values):
    s = sorted(values)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2


sum = _reduction(lambda v: _builtin_sum(v))
mean = _reduction(lambda v: _builtin_sum(v) / len(v), float64)
average = mean
prod = _reduction(math.prod)
product = prod
max = amax = nanmax = _reduction(lambda v: _builtin_max(v))
min = amin = nanmin = _reduction(lambda v: _builtin_min(v))
var = _reduction(_var, float64)
std = _reduction(lambda v: math.sqrt(_var(v)), float64)
median = _reduction(_median, float64)
_any_of = _reduction(lambda v: _builtin_any([bool(x) for x in v]), bool_)


def any(a, axis=None, out=None, keepdims=False):
    if axis is None and isinstance(a, ndarray) and a._guess is not None:
        return a._guess
    return _any_of(a, axis, None, None, keepdims)


all = _reduction(lambda v: _builtin_all([bool(x) for x in v]), bool_)
argmax = _reduction(lambda v: v.index(_builtin_max(v)), int64)
argmin = _reduction(lambda v: v.index(_builtin_min(v)), int64)
count_nonzero = _reduction(lambda v: len([x for x in v if x]), int64)
nanmean = mean


def _running(function):
    def running(a, axis=None, dtype=None, out=None):
        a = array(a)
        if a._values is None:
            return a
        if a.ndim > 1 and axis is not None and axis % a.ndim != a.ndim - 1:
            return ndarray(a.shape, a.dtype)
        n = a.shape[-1] if a.ndim and axis is not None else a.size
        values = []
        for i in range(0, a.size, n or 1):
            total = None
            for v in a._values[i:i + n]:
                total = v if total is None else function(total, v)
                values.append(total)
        return ndarray(a.shape if axis is not None else [a.size], a.dtype, values)
    return running


cumsum, cumprod = _running(lambda a, b: a + b), _running(lambda a, b: a * b)


def sort(a, axis=-1, kind=None):
    a = array(a)
    return ndarray(a.shape, a.dtype,
                   sorted(a._values) if a._values is not None and a.ndim == 1 else None)


def argsort(a, axis=-1, kind=None):
    a = array(a)
    if a._values is None or a.ndim != 1:
        return ndarray(a.shape, int64)
    return array(sorted(range(a.size), key=lambda i: a._values[i]), dtype=int64)


def unique(a, return_index=False, return_inverse=False, return_counts=False, axis=None):
    a = array(a)
    if a._values is None or a._open:
        return _tilewise.unknown("the different values of an array" +
                                 (": " + a._open if a._open else ""))
    values = sorted(set(a._values))
    made = [array(values, a.dtype)]
    if return_index:
        made.append(array([a._values.index(v) for v in values], int64))
    if return_inverse:
        places = {v: i for i, v in enumerate(values)}
        made.append(array([places[v] for v in a._values], int64))
    if return_counts:
        made.append(array([a._values.count(v) for v in values], int64))
    return made[0] if len(made) == 1 else tuple(made)


def diff(a, n=1, axis=-1):
    a = array(a)
    return a[..., 1:] - a[..., :-1]


def allclose(a, b, rtol=1e-5, atol=1e-8):
    return True


array_equal = allclose


# ---- shapes


def shape(a):
    return array(a).shape


def ndim(a):
    return array(a).ndim


def size(a, axis=None):
    return array(a).size if axis is None else array(a).shape[axis]


def reshape(a, newshape, order="C"):
    return array(a).reshape(newshape)


def ravel(a):
    return array(a).ravel()


def squeeze(a, axis=None):
    return array(a).squeeze(axis)


def transpose(a, axes=None):
    return array(a).transpose(axes)


def expand_dims(a, axis):
    s = list(array(a).shape)
    s.insert(axis if axis >= 0 else axis + len(s) + 1, 1)
    return array(a).reshape(s)


def take(a, indices, axis=None, out=None, mode="raise"):
    a = array(a)
    at = indices if isinstance(indices, int) else array(indices)
    return a.ravel()[at] if axis is None else a[(slice(None),) * (axis % a.ndim) + (at,)]


def concatenate(arrays, axis=0, dtype=None):
    arrays = [array(a) for a in arrays]
    d = axis % _builtin_max([arrays[0].ndim, 1])
    s = list(arrays[0].shape)
    s[d] = _builtin_sum([a.shape[d] for a in arrays])
    if _builtin_any([a._values is None for a in arrays]) or math.prod(s) > 8 * _LIMIT:
        return _joined(ndarray(s, arrays[0].dtype), arrays, d)
    outer = math.prod(s[:d])
    values = []
    for i in range(outer):
        for a in arrays:
            n = a.size // outer if outer else 0
            values.extend(a._values[i * n:(i + 1) * n])
    return ndarray(s, arrays[0].dtype, values)


def _joined(x, parts, d):
    """Marks examples that are set side by side."""
    marked = [p for p in parts if p._batch is not None]
    if not marked or marked[0]._batch != d:
        return x._with_batch(*marked)
    if len(marked) == len(parts) and _builtin_all([p._examples is not None for p in parts]):
        x._batch, x._examples = d, _builtin_sum([p._examples for p in parts])
    return x


def stack(arrays, axis=0):
    if _tilewise.is_unknown(arrays):
        return arrays
    arrays = list(arrays)
    for a in arrays:
        if _tilewise.is_unknown(a):
            return a
    parts = [a if type(a) is ndarray else array(a) for a in arrays]
    first = parts[0]
    if axis == 0 and first._values is None and \
            _builtin_all([p._values is None and p.shape == first.shape for p in parts]):
        x = ndarray((len(parts),) + first.shape, first.dtype)
    else:
        x = concatenate([expand_dims(a, axis) for a in parts], axis)
    if x._values is not None or first._batch is None:
        return x
    if first.ndim == 1 and axis == 0 and first._examples is not None:
        x._batch, x._examples = 0, len(parts)
    else:
        at = first._batch
        x._batch, x._examples = at + (axis % x.ndim <= at), first._examples
    return x


def vstack(arrays):
    return concatenate([array(a).reshape(1, -1) if array(a).ndim == 1 else a for a in arrays], 0)


def hstack(arrays):
    return concatenate(arrays, 0 if array(arrays[0]).ndim == 1 else 1)


column_stack = hstack


def split(a, indices_or_sections, axis=0):
    a = array(a)
    n = a.shape[axis]
    if isinstance(indices_or_sections, int):
        ends = [n * (i + 1) // indices_or_sections for i in range(indices_or_sections)]
    else:
        ends = list(indices_or_sections) + [n]
    lead = (slice(None, None, None),) * axis
    return [a[lead + (slice(i, j, None),)] for i, j in zip([0] + ends[:-1], ends)]


array_split = split


def tile(a, reps):
    a, reps = array(a), _tilewise.dims((reps,))
    s = [1] * (len(reps) - a.ndim) + list(a.shape)
    reps = [1] * (len(s) - len(reps)) + reps
    a = a.reshape(s)
    for d, r in enumerate(reps):
        if r != 1:
            a = concatenate([a] * r, d)
    return a


def repeat(a, repeats, axis=None):
    a = array(a)
    if axis is None:
        a, axis = a.ravel(), 0
    rows = [i for i in range(a.shape[axis]) for _ in range(repeats)]
    return a[(slice(None, None, None),) * axis + (rows,)]


def pad(a, pad_width, mode="constant", **options):
    a = array(a)
    pairs = pad_width if isinstance(pad_width, (list, tuple)) else [pad_width]
    pairs = [p if isinstance(p, (list, tuple)) else (p, p) for p in pairs]
    pairs = pairs * a.ndim if len(pairs) == 1 else pairs
    return ndarray([n + p[0] + p[1] for n, p in zip(a.shape, pairs)], a.dtype)


def flip(a, axis=None):
    return array(a)[::-1] if array(a).ndim == 1 else ndarray(array(a).shape, array(a).dtype)


def roll(a, shift, axis=None):
    a = array(a)
    if a._values is None or a.ndim > 1:
        return ndarray(a.shape, a.dtype)
    k = -shift % _builtin_max(a.size, 1)
    return ndarray(a.shape, a.dtype, a._values[k:] + a._values[:k])


def meshgrid(*arrays, indexing="xy"):
    arrays = [array(a) for a in arrays]
    n = len(arrays)
    order = [1, 0] + list(range(2, n)) if indexing == "xy" and n > 1 else list(range(n))
    full_shape = [0] * n
    for i, d in enumerate(order):
        full_shape[d] = arrays[i].size
    result = []
    for i, d in enumerate(order):
        s = [1] * n
        s[d] = arrays[i].size
        result.append(broadcast_to(arrays[i].reshape(s), full_shape))
    return result


def triu(a, k=0):
    a = array(a)
    if a._values is None:
        return a
    n = a.shape[-1]
    m = a.shape[-2]
    return ndarray(a.shape, a.dtype, [v if i % n - i // n % m >= k else 0
                                      for i, v in enumerate(a._values)])


def tril(a, k=0):
    a = array(a)
    return a if a._values is None else a - triu(a, k + 1)


def diag(v, k=0):
    v = array(v)
    return array([[v._values[i] if i == j else 0 for j in range(v.size)] for i in range(v.size)]) \
        if v.ndim == 1 else array([v[i, i] for i in range(_builtin_min(v.shape))])


def matmul(a, b):
    a, b = array(a), array(b)
    if a.ndim == b.ndim == 1:
        return sum(a * b)
    left = a.shape[:-1] if a.ndim > 1 else ()
    right = (b.shape[-1],) if b.ndim > 1 else ()
    if a._values is None or b._values is None or a.ndim > 2 or b.ndim > 2:
        lead = _joint(a.shape[:-2], b.shape[:-2]) if a.ndim > 2 or b.ndim > 2 else ()
        return ndarray(tuple(lead) + tuple(left[-1:]) + right, _joint_type(a, b))
    k, n = a.shape[-1], right[0] if right else 1
    rows = a.size // k
    return ndarray(left + right, _joint_type(a, b),
                   [_builtin_sum([a._values[i * k + p] * b._values[p * n + j] for p in range(k)])
                    for i in range(rows) for j in range(n)])


dot = inner = matmul


def outer(a, b):
    return array(a).reshape(-1, 1) * array(b).reshape(1, -1)


def einsum(equation, *operands):
    left, right = equation.replace(" ", "").split("->")
    sizes = {}
    for names, a in zip(left.split(","), operands):
        for name, n in zip(names, array(a).shape):
            sizes[name] = n
    return ndarray([sizes[n] for n in right], array(operands[0]).dtype)


def isscalar(v):
    return isinstance(v, (int, float, complex, str))


def issubdtype(a, b):
    return _type(a).kind in {"integer": "iu", "floating": "f"}.get(getattr(b, "__name__", ""), "b")


def iscomplexobj(a):
    return array(a).dtype.kind == "c"


class _Float(float):
    """A number that has the methods of an array."""

    def item(self):
        return float(self)

    def astype(self, dtype):
        return _cast(float(self), _type(dtype).code)


def finfo(kind):
    from torch import finfo as of
    made = of(_Named(_type(kind).name))
    made.eps, made.dtype = _Float(made.eps), _type(kind)
    return made


def iinfo(kind):
    from torch import iinfo as of
    t = _type(kind)
    named = _Named(t.name)
    named.itemsize, named.is_signed = t.itemsize, t.kind == "i"
    return of(named)


class _Named:
    def __init__(self, name):
        self.name = name


def vectorize(function, **options):
    return lambda a: _map(function, array(a))


def apply_along_axis(function, axis, a):
    return _tilewise.unknown("a function applied to data")


def _known_first(function):
    """Of what is not known nothing is computed."""
    def called(*args, **kwargs):
        if args and _tilewise.is_unknown(args[0]):
            return args[0]
        return function(*args, **kwargs)
    return called


for _name in ("where", "nonzero", "interp", "sort", "argsort", "unique", "diff", "shape", "ndim",
              "size", "reshape", "ravel", "squeeze", "transpose", "expand_dims", "concatenate",
              "stack", "vstack", "hstack", "split", "tile", "repeat", "pad", "flip", "roll",
              "triu", "tril", "diag", "matmul", "outer", "cumsum", "cumprod", "full", "zeros",
              "ones", "full_like", "zeros_like", "ones_like", "linspace", "eye", "clip"):
    globals()[_name] = _known_first(globals()[_name])
for _name, _of in (("array_split", "split"), ("column_stack", "hstack"), ("dot", "matmul"),
                   ("inner", "matmul"), ("identity", "eye"), ("empty", "zeros"),
                   ("empty_like", "zeros_like")):
    globals()[_name] = globals()[_of]

_METHODS = {"sum": sum, "mean": mean, "prod": prod, "max": max, "min": min, "var": var,
            "std": std, "any": any, "all": all, "argmax": argmax, "argmin": argmin,
            "cumsum": cumsum, "cumprod": cumprod, "clip": clip, "round": round, "dot": dot,
            "repeat": repeat, "argsort": argsort, "nonzero": nonzero,
            "setflags": lambda array, **flags: None}

from . import linalg, random


# Names that numpy had until 1.24, of types of Python.
_FORMER = {"float": 0.5, "int": 1, "bool": True, "complex": 1j, "str": "", "object": object(),
           "long": 1, "unicode": ""}


_GONE = {"asscalar", "rank", "alen", "product", "float96", "complex256", "str0"}


def __getattr__(name):
    if name in _FORMER:
        return type(_FORMER[name])
    from . import _more, _rare
    if name == "__all__":
        names = list(globals()) + list(_more.NAMES) + list(_rare.NAMES)
        return [n for n in names if n[:1] != "_"]
    if name[:1] == "_":
        raise AttributeError(name)
    for part in (_more, _rare):
        if name in part.NAMES:
            return getattr(part, name)
    # Former names, and those that a program is ready to miss, are not there.
    if name in _GONE or _python.awaits("AttributeError") or _python.awaits("ImportError"):
        raise AttributeError(name)
    return _tilewise.unknown("numpy." + name + " is not among what tilewise knows")
