"""Tensors of TensorFlow as symbols."""

import math
import _tilewise
from tensorflow import _dtypes, _shape
from tensorflow._dtypes import DType, as_dtype, BY_CODE, FLOATS, promoted
from tensorflow._shape import TensorShape
from tensorflow._public import state, public

_op = _tilewise.op
_known = _tilewise.known
_unk = _tilewise.is_unknown
_code = _tilewise.dtype
_numbers = _tilewise.numbers
_shape_made = _shape.made


def _fetched():
    """The program waits for a number; not within a pipeline, which runs on the host."""
    if not state.host:
        _tilewise.record("fetch")


class Tensor:
    """`_h` is its handle."""
    _is_variable = False
    _is_gradient = False
    __array_priority__ = 100
    name = "Tensor:0"
    op = None
    device = "/job:localhost/replica:0/task:0/device:TPU:0"
    _keras_mask = None
    _of_batch = _is_batch = False  # a shape of data; its first size

    def __tilewise_merge__(self, other):
        """Either of two tensors of one type and shape, sizes that are not known left out."""
        if _unk(self._h) or _unk(other._h) or \
                _tilewise.dtype(self._h) != _tilewise.dtype(other._h):
            return NotImplemented
        if _tilewise.shape(self._h) == _tilewise.shape(other._h):
            return wrap(self._h) if type(self) is Tensor else self
        own, others = _tilewise.open_shape(self._h), _tilewise.open_shape(other._h)
        if len(own) != len(others) or type(self) is not Tensor or type(other) is not Tensor:
            return NotImplemented
        if all([m == n or m is None for m, n in zip(own, others)]):
            return wrap(self._h)
        if all([m == n or n is None for m, n in zip(own, others)]):
            return wrap(other._h)
        return NotImplemented

    def __init__(self, h=None, dtype=None, name=None):
        self._h = h

    @property
    def shape(self):
        return _shape_made(_tilewise.open_shape(self._h))

    @property
    def dtype(self):
        return BY_CODE[_code(self._h)]

    @property
    def ndim(self):
        return len(_tilewise.shape(self._h))

    @property
    def T(self):
        return wrap(_op("tw.transpose", [handle(self)]))

    @property
    def graph(self):
        import tensorflow
        return tensorflow.Graph()

    def get_shape(self):
        return self.shape

    def set_shape(self, shape):
        """Sizes that were not known get known; the tensor stands for data then."""
        have, want = list(self.shape), list(TensorShape(shape))
        if None in have and len(have) == len(want):
            raw = _tilewise.shape(self._h)
            sizes = [raw[i] if have[i] is not None or d is None else d for i, d in enumerate(want)]
            if sizes != list(raw):
                self._h = _tilewise.input(sizes, _code(self._h), "", None)

    def numpy(self):
        h = handle(self)
        if len(_tilewise.shape(h)) == 0:
            found = _numbers(h)
            if found is None:
                _fetched()
                return _tilewise.unknown("a number that the device computes")
            return BY_CODE[_code(h)].as_numpy_dtype(found)
        import numpy
        return numpy.ndarray._of(wrap(h))

    _numpy = numpy

    def __array__(self, dtype=None):
        return self.numpy()

    def _number(self):
        found = _numbers(handle(self))
        while isinstance(found, list) and len(found) == 1:
            found = found[0]
        if found is None:
            _fetched()
            return _tilewise.unknown("a number that the device computes")
        return found

    def item(self):
        return self._number()

    def __bool__(self):
        found = self._number()
        return found if _unk(found) else bool(found)

    def __int__(self):
        found = self._number()
        return found if _unk(found) else int(found)

    __index__ = __int__

    def __float__(self):
        found = self._number()
        return found if _unk(found) else float(found)

    def __len__(self):
        shape = _tilewise.shape(self._h)
        if not shape:
            raise TypeError("Scalar tensor has no `len()`")
        return shape[0]

    def __iter__(self):
        shape = _tilewise.shape(self._h)
        if not shape:
            raise TypeError("Cannot iterate over a scalar tensor.")
        from tensorflow._index import rows
        return rows(self, shape[0])

    def __getitem__(self, index):
        from tensorflow._index import getitem
        return getitem(self, index)

    def __hash__(self):
        return id(self)

    def ref(self):
        from tensorflow._open import Reference
        return Reference(self)

    experimental_ref = ref

    def eval(self, feed_dict=None, session=None):
        return self.numpy()

    def consumers(self):
        return []

    def __repr__(self):
        shown = _numbers(self._h) if math.prod(_tilewise.shape(self._h)) <= 16 else None
        text = "" if shown is None else ", numpy=" + str(shown)
        return "<tf.Tensor: shape=" + str(self.shape) + ", dtype=" + self.dtype.name + text + ">"

    def __format__(self, spec):
        found = _numbers(self._h) if len(_tilewise.shape(self._h)) == 0 else None
        return repr(self) if found is None else format(found, spec)

    def __neg__(self):
        return wrap(_op("tw.unary", [handle(self)], {"kind": "negate"}))

    def __pos__(self):
        return self

    def __abs__(self):
        return wrap(_op("tw.unary", [handle(self)], {"kind": "abs"}))

    def __invert__(self):
        return wrap(_op("tw.unary", [handle(self)], {"kind": "not"}))

    def __add__(self, other):
        return binary("add", self, other)

    def __radd__(self, other):
        return binary("add", other, self)

    def __sub__(self, other):
        return binary("subtract", self, other)

    def __rsub__(self, other):
        return binary("subtract", other, self)

    def __mul__(self, other):
        return binary("multiply", self, other)

    def __rmul__(self, other):
        return binary("multiply", other, self)

    def __truediv__(self, other):
        return divide(self, other)

    def __rtruediv__(self, other):
        return divide(other, self)

    __div__, __rdiv__ = __truediv__, __rtruediv__

    def __floordiv__(self, other):
        return binary("floor_divide", self, other)

    def __rfloordiv__(self, other):
        return binary("floor_divide", other, self)

    def __mod__(self, other):
        return binary("floor_modulo", self, other)

    def __rmod__(self, other):
        return binary("floor_modulo", other, self)

    def __pow__(self, other):
        return binary("power", self, other)

    def __rpow__(self, other):
        return binary("power", other, self)

    def __matmul__(self, other):
        x, y = pair(self, other)
        return wrap(_op("tw.matmul", [x, y]))

    def __rmatmul__(self, other):
        x, y = pair(other, self)
        return wrap(_op("tw.matmul", [x, y]))

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
        return binary("shift_left", self, other)

    def __rshift__(self, other):
        return binary("shift_right", self, other)

    def __eq__(self, other):
        if getattr(self, "_is_variable", False) and getattr(other, "_is_variable", False):
            return self is other  # as `variable in list` of the first version asks
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

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    _keras_shape = _shape_val = property(lambda t: tuple(t.shape))


class KerasTensor(Tensor):
    """A tensor of the functional API: `_h` is a stand-in, `_node` the call that makes it."""
    _index = 0
    _node = None

    def __init__(self, h, node=None, index=0, name=None):
        self._h = h
        self._node, self._index = node, index
        if name is not None:
            self.name = name
        state.keras_tensors += 1

    @property
    def __len__(self):
        raise AttributeError("a KerasTensor has no length")

    @property
    def shape(self):
        """Pictures of any size are traced with one example, which stands for any number."""
        sizes = list(_tilewise.open_shape(self._h))
        if len(sizes) == 4 and sizes[0] == 1 and None in sizes:
            sizes[0] = None
        return _shape_made(sizes)

    _keras_history = property(lambda t: (
        t._source if t._node is None else t._node.function, 0, t._index))

    def __repr__(self):
        return "<KerasTensor shape=" + str(self.shape) + ", dtype=" + self.dtype.name + ">"

    def __bool__(self):
        found = _numbers(self._h)
        return _tilewise.unknown("the truth of a KerasTensor") if found is None else bool(found)

    def __deepcopy__(self, memo):
        return self


def _spread(cls):
    for name in ("neg", "abs", "invert", "add", "radd", "sub", "rsub", "mul", "rmul", "truediv",
                 "rtruediv", "floordiv", "rfloordiv", "mod", "rmod", "pow", "rpow", "matmul",
                 "rmatmul", "and", "rand", "or", "ror", "xor", "rxor", "eq", "ne", "lt", "le",
                 "gt", "ge", "getitem"):
        name = "__" + name + "__"
        setattr(cls, name, public(getattr(Tensor, name)))


_spread(KerasTensor)


class Gradient(Tensor):
    """Of a variable: a tensor of its shape; `scale` is the number that it was multiplied by."""
    _is_gradient = True
    scale = 1.0

    def __init__(self, of, scale=1.0):
        self.of, self.scale = of, scale

    def __getattr__(self, name):
        if name != "_h":
            raise AttributeError(name)
        h = _tilewise.input(list(_tilewise.shape(self.of)), _code(self.of), "gradient", None)
        self._h = h
        return h

    @property
    def shape(self):
        return _shape_made(_tilewise.open_shape(self.of))

    @property
    def dtype(self):
        return BY_CODE[_code(self.of)]

    def _scaled(self, by):
        by = number_of(by)
        return Gradient(self.of, None if by is None or self.scale is None else self.scale * by)

    def _like(self, other):
        return isinstance(other, (int, float)) or len(_tilewise.shape(handle(other))) == 0

    def __neg__(self):
        return self._scaled(-1)

    def __mul__(self, other):
        return self._scaled(other) if self._like(other) else binary("multiply", self, other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if not self._like(other):
            return divide(self, other)
        by = number_of(other)
        return self._scaled(None if by is None or by == 0 else 1 / by)


# ---- from and to handles


def wrap(h):
    if _unk(h):
        return h
    x = Tensor.__new__(Tensor)
    x._h = h
    return x


def wraps(handles):
    return [wrap(h) for h in handles]


def number_of(x):
    """The number that is known of a scalar, or None."""
    if isinstance(x, (bool, int, float)):
        return x
    if isinstance(x, Tensor):
        found = _numbers(handle(x))
        while isinstance(found, list) and len(found) == 1:
            found = found[0]
        return None if isinstance(found, list) else found
    if _unk(x):
        return None
    if hasattr(x, "__float__") and getattr(x, "shape", ()) == ():
        found = float(x)
        return None if _unk(found) else found
    return None


def handle(value, dtype=None):
    """The handle of what may stand for a tensor."""
    if _unk(value):
        return value
    if isinstance(value, Tensor):
        h = value._read() if value._is_variable else value._h
        return h if dtype is None else convert(h, _dtypes.code_of(dtype))
    if isinstance(value, (bool, int, float)):
        if dtype is not None:
            return _known(value, _dtypes.code_of(dtype))
        if isinstance(value, float):
            return _known(value, "f32")
        if isinstance(value, bool):
            return _known(value, "pred")
        return _known(value, "s32" if -2 ** 31 <= value < 2 ** 31 else "s64")
    from tensorflow._convert import other_handle
    return other_handle(value, None if dtype is None else _dtypes.code_of(dtype))


def tensor(value, dtype=None):
    """As a Tensor; what is one already stays as it is."""
    if isinstance(value, Tensor) and not value._is_variable and \
            (dtype is None or _code(value._h) == _dtypes.code_of(dtype)):
        return value
    return wrap(handle(value, dtype))


def dims_of(h):
    return _tilewise.shape(h)


def convert(h, code):
    if _unk(h) or _code(h) == code:
        return h
    return _op("tw.convert", [h], {"dtype": code})


def to_float(h):
    return h if _code(h) in FLOATS or _code(h)[0] == "c" else convert(h, "f32")


def pair(a, b):
    """Handles of two operands of one type; Python's numbers take that of the other."""
    if _unk(a) or _unk(b):
        if state.host:
            from tensorflow._open import host_pair
            return host_pair(a, b)
        return (a, a) if _unk(a) else (b, b)
    if isinstance(a, Tensor) or hasattr(a, "_h"):
        x = handle(a)
        if _unk(x):
            return x, x
        code = _code(x)
        if isinstance(b, Tensor):
            y = handle(b)
            if _unk(y):
                return y, y
            other = _code(y)
            if other == code:
                return x, y
            code = promoted(code, other)
            return convert(x, code), convert(y, code)
        if isinstance(b, (bool, int, float)):
            if isinstance(b, float) and code not in FLOATS and code[0] != "c":
                code = "f32"
                x = convert(x, code)
            return x, _known(b, code)
        y = handle(b)
        if _unk(y) or _code(y) == code:
            return x, y
        if code[0] in "su" and _code(y) in FLOATS:
            return convert(x, _code(y)), y
        return x, convert(y, code)
    if isinstance(b, Tensor):
        y, x = pair(b, a)
        return x, y
    a = tensor(a)
    return (a, a) if _unk(a) else pair(a, b)


# ---- elementwise


def binary(kind, a, b):
    x, y = pair(a, b)
    try:
        return wrap(_op("tw.binary", [x, y], {"kind": kind}))
    except RuntimeError:
        from tensorflow._open import fitted
        return wrap(_op("tw.binary", fitted(x, y), {"kind": kind}))


def divide(a, b):
    """Of whole numbers, as floats: 64 bits for 32 and more, as TensorFlow does."""
    x, y = pair(a, b)
    if not _unk(x) and _code(x) in ("s32", "s64", "u32", "u64", "s8", "u8", "s16", "u16"):
        code = "f32" if BY_CODE[_code(x)].size < 4 else "f64"
        x, y = convert(x, code), convert(y, code)
    return wrap(_op("tw.binary", [x, y], {"kind": "divide"}))


def compare(direction, a, b):
    if isinstance(b, (str, bytes)) or getattr(a, "_strings", None) is not None:
        from tensorflow._strings import compared
        return compared(direction, a, b)
    x, y = pair(a, b)
    return wrap(_op("tw.compare", [x, y], {"direction": direction}))


def unary(kind, x):
    return wrap(_op("tw.unary", [handle(x)], {"kind": kind}))


def float_unary(kind, x):
    h = handle(x)
    return wrap(_op("tw.unary", [h if _unk(h) else to_float(h)], {"kind": kind}))


from tensorflow._variable import Variable  # noqa: its base is above
