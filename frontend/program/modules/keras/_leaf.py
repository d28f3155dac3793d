"""What the leaves of Keras make ops with: handles in, handles out."""

import math

import _tilewise as _t
from tensorflow import _tensor as _x

op = _t.op
dims = _t.shape
code = _t.dtype
wrap = _x.wrap
Tensor = _x.Tensor
FLOATS = ("f32", "bf16", "f16", "f64", "f8e4m3fn", "f8e5m2")
CODES = {"float32": "f32", "bfloat16": "bf16", "float16": "f16", "float64": "f64", "int8": "s8",
         "int16": "s16", "int32": "s32", "int64": "s64", "uint8": "u8", "uint16": "u16",
         "uint32": "u32", "uint64": "u64", "bool": "pred", "complex64": "c64", "string": "s32",
         "complex128": "c128", "int": "s32", "float": "f32"}


def taken(size, what):
    """A size that is not known, as the least that it can be."""
    if not _t.is_unknown(size):
        return size
    _t.note("the count is a lower bound: " + what + " is not known and taken as 1: " +
            _t.reason(size))
    return 1


def code_of(dtype, otherwise="f32"):
    """The code of a type by any of its names."""
    if dtype is None:
        return otherwise
    if isinstance(dtype, str) and dtype in CODES:
        return CODES[dtype]
    return _x.as_dtype(dtype).code


def h_of(x, like=None):
    """The handle of a tensor, an array or a number; numbers get the type `like`."""
    if isinstance(x, Tensor):
        return x._read() if x._is_variable else x._h
    if like is not None and isinstance(x, (int, float)):
        if isinstance(x, float) and like not in FLOATS and like not in ("c64", "c128"):
            like = "f32"
        return _t.known(x, like)
    return _x.handle(x)


def put(h, to):
    """`h` in type `to`."""
    return h if code(h) == to else op("tw.convert", [h], {"dtype": to})


def floating(h):
    """Integers as f32."""
    c = code(h)
    return h if c in FLOATS or c in ("c64", "c128") else op("tw.convert", [h], {"dtype": "f32"})


def unary(kind, h):
    return op("tw.unary", [h], {"kind": kind})


def pair(a, b):
    """Two operands, of which numbers take the type of the other."""
    if isinstance(a, Tensor):
        a = h_of(a)
        return a, h_of(b, code(a))
    if isinstance(b, Tensor):
        b = h_of(b)
        return h_of(a, code(b)), b
    return h_of(a), h_of(b)


def binary(kind, a, b):
    """Of handles; a number takes the type of the other."""
    if isinstance(b, (int, float)):
        b = h_of(b, code(a))
    elif isinstance(a, (int, float)):
        a = h_of(a, code(b))
    return op("tw.binary", [a, b], {"kind": kind})


def add(a, b):
    return op("tw.binary", [a, b], {"kind": "add"})


def mul(a, b):
    return binary("multiply", a, b)


def sub(a, b):
    return binary("subtract", a, b)


def div(a, b):
    return binary("divide", a, b)


def compare(direction, a, b):
    if isinstance(b, (int, float)):
        b = h_of(b, code(a))
    return op("tw.compare", [a, b], {"direction": direction})


def select(condition, a, b):
    if isinstance(a, (int, float)):
        a = h_of(a, "f32" if isinstance(b, (int, float)) else code(b))
    if isinstance(b, (int, float)):
        b = h_of(b, code(a))
    return op("tw.select", [condition, a, b])


def reshape(h, shape):
    return op("tw.reshape", [h], {"shape": list(shape)})


def transpose(h, order):
    order = list(order)
    if order == list(range(len(order))):
        return h
    return op("tw.transpose", [h], {"permutation": order})


def broadcast(h, shape):
    shape = list(shape)
    if list(dims(h)) == shape:
        return h
    return op("tw.broadcast_in_dim", [h], {"shape": shape})


def concat(hs, axis):
    return hs[0] if len(hs) == 1 else op("tw.concatenate", hs, {"dim": axis})


def stack(hs, axis):
    return op("tw.stack", hs, {"dim": axis})


def cut(h, axis, low, high, step=1):
    """A slice along one dim."""
    n = len(dims(h))
    starts, limits, strides = [0] * n, list(dims(h)), [1] * n
    starts[axis], limits[axis], strides[axis] = low, high, step
    return op("tw.slice", [h], {"starts": starts, "limits": limits, "strides": strides})


def at(h, axis, index):
    """One element along a dim, which goes; `index` is a number or a handle."""
    if isinstance(index, int):
        if index < 0:
            index += dims(h)[axis]
        index = _t.known(index, "s32")
    return op("tw.take", [h, index], {"axis": axis})


def split(h, n, axis):
    size = dims(h)[axis] // n
    return [cut(h, axis, i * size, (i + 1) * size) for i in range(n)]


def pad(h, low, high, value=0.0, mode="constant"):
    if not any(low) and not any(high):
        return h
    if mode == "constant":
        return op("tw.pad", [h], {"value": float(value), "low": list(low), "high": list(high)})
    return op("tw.pad_mode", [h], {"mode": mode, "low": list(low), "high": list(high)})


def axes_of(axis, rank):
    """Dims of an argument `axis`; None: all."""
    if axis is None:
        return list(range(rank))
    if isinstance(axis, int):
        return [axis % rank if rank else 0]
    return [int(a) % rank for a in axis]


def reduce(kind, h, axis=None, keep=False):
    axes = axes_of(axis, len(dims(h)))
    if not axes and axis is not None:
        return h
    return op("tw.reduce", [h], {"kind": kind, "dims": axes, "keep": bool(keep)})


def dot(a, b, lhs, rhs, lhs_batch=(), rhs_batch=()):
    return op("tw.dot_general", [a, b], {
        "lhs_contract": list(lhs), "rhs_contract": list(rhs), "lhs_batch": list(lhs_batch),
        "rhs_batch": list(rhs_batch)})


def matmul(a, b):
    return op("tw.matmul", [a, b])


def einsum(equation, *hs):
    return op("tw.einsum", list(hs), {"equation": equation.replace(" ", "")})


def expand(h, axis):
    return op("tw.unsqueeze", [h], {"dims": [axis]})


def squeeze(h, axis):
    return op("tw.squeeze", [h], {"dims": [axis]})


def reverse(h, axis):
    return op("tw.reverse", [h], {"dims": [axis]})


def full(number, shape, to="f32"):
    return _t.full(number, list(shape), to)


def iota(n, to="s32"):
    return op("tw.iota", [], {"shape": [n], "dim": 0, "dtype": to})


def random(kind, shape, to="f32"):
    return op("tw.random", [], {"kind": kind, "shape": list(shape), "dtype": to})


def uniform(shape, low=0.0, high=1.0, to="f32"):
    h = random("uniform", shape, to)
    if high - low != 1.0:
        h = mul(h, float(high - low))
    return add(h, h_of(float(low), to)) if low else h


def many(value, n, what=None):
    """One number for each of `n` dims."""
    if isinstance(value, int):
        return (value,) * n
    value = tuple(value)
    return value * n if len(value) == 1 and n > 1 else value


def along(h, axis, rank):
    """A vector as one that lies along dim `axis` of `rank` dims."""
    if axis == rank - 1 or len(dims(h)) != 1:
        return h
    shape = [1] * rank
    shape[axis] = dims(h)[0]
    return reshape(h, shape)


def product(values):
    return math.prod(values)


def known_int(h):
    n = _t.numbers(h)
    while isinstance(n, list) and len(n) == 1:
        n = n[0]
    return n if isinstance(n, (int, float, bool)) else None


def sizes(value):
    """A shape whose sizes may be tensors, as raw ints; a size that is not known is -1."""
    if isinstance(value, Tensor):
        n = _t.numbers(value._h)
        return n if isinstance(n, list) else [-1] * dims(value._h)[0]
    if isinstance(value, int):
        return [value]
    result = []
    for v in value:
        if isinstance(v, Tensor):
            n = known_int(v._h)
            result.append(-1 if n is None else int(n))
        else:
            result.append(-1 if v is None else int(v))
    return result
