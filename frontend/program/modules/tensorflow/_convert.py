"""What else may stand for a tensor: lists, arrays of NumPy, texts."""

import math
import _tilewise
from tensorflow import _dtypes
from tensorflow._dtypes import promoted
from tensorflow._tensor import Tensor, convert, handle, wrap

_unk = _tilewise.is_unknown


def _plain(values):
    """0: holds tensors or more; 1: whole numbers, 2: truths, 3: floats; 4: texts; -1: unknown."""
    kind = 0
    for v in values:
        if _unk(v):
            return -1
        if isinstance(v, (list, tuple)):
            k = _plain(v)
            if k <= 0 and len(v):
                return k
        elif isinstance(v, bool):
            k = 2
        elif isinstance(v, int):
            k = 1
        elif isinstance(v, float):
            k = 3
        elif isinstance(v, (str, bytes)):
            k = 4
        else:
            return 0
        if k == 2 and kind:
            k = kind
        kind = max(kind, k) if kind != 2 else k
    return kind


def of_list(values, code):
    values = list(values)
    if not values:
        return _tilewise.full(0, [0], code or "f32")
    kind = _plain(values)
    if kind == 4:
        from tensorflow._strings import text_tensor
        return text_tensor(values)._h
    if kind > 0:
        if 0 in _lengths(values):
            return _tilewise.full(0, _lengths(values), code or "f32")
        return _tilewise.known(values, code or {1: "s32", 2: "pred", 3: "f32"}[kind])
    return stacked(values, code)


def _lengths(values):
    result = []
    while isinstance(values, (list, tuple)):
        result.append(len(values))
        values = values[0] if values else None
    return result


def stacked(values, code):
    """Of elements some of which are tensors; numbers take the type of those."""
    parts = [v if isinstance(v, (bool, int, float)) else handle(v, code) for v in values]
    for part in parts:
        if _unk(part):
            return part
    if code is None:
        for part in parts:
            if not isinstance(part, (bool, int, float)):
                other = _tilewise.dtype(part)
                code = other if code is None else promoted(code, other)
    parts = [_tilewise.known(p, code) if isinstance(p, (bool, int, float)) else convert(p, code)
             for p in parts]
    return _tilewise.op("tw.stack", parts, {"dim": 0})


def of_array(x, code):
    """An array of the host: its numbers where they are few and known, else data."""
    own = getattr(x.dtype, "code", None)
    if own is None:
        own = _dtypes.as_dtype(x.dtype).code
    shape = list(x.shape)
    if _unk(shape):
        return shape
    values = getattr(x, "_values", None)
    if 0 in shape:
        return _tilewise.full(0, shape, code or own)
    if values is not None and math.prod(shape) <= 4096:
        values = x.tolist()
        if isinstance(values, (str, bytes)) or \
                isinstance(values, list) and _plain(values) in (4, 0):
            from tensorflow._strings import text_tensor
            return text_tensor(values)._h
        return _tilewise.known(values, code or own)
    h = _tilewise.input(shape, own, "", getattr(x, "_batch", None))
    return h if code is None else convert(h, code)


def other_handle(value, code):
    if isinstance(value, (list, tuple)):
        return of_list(value, code)
    if isinstance(value, (str, bytes)):
        from tensorflow._strings import text_tensor
        return text_tensor(value)._h
    if isinstance(value, complex):
        return _tilewise.full(value.real, [], code or "c64")
    if isinstance(value, range):
        return of_list(list(value), code)
    if hasattr(value, "to_handle"):
        return value.to_handle(code)
    h = getattr(value, "_h", None)
    if h is not None:
        return h if code is None else convert(h, code)
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return of_array(value, code)
    if hasattr(value, "__array__"):
        return handle(value.__array__(), code)
    if hasattr(value, "__index__"):
        return _tilewise.known(int(value), code or "s32")
    if hasattr(value, "__float__"):
        return _tilewise.known(float(value), code or "f32")
    if hasattr(value, "channels"):
        import numpy
        return of_array(numpy.array(value), code)
    if hasattr(value, "__iter__"):
        return of_list(list(value), code)
    if value is None:
        raise ValueError("None values not supported.")
    return _tilewise.unknown("a tensor made of " + type(value).__name__)
