"""Shapes and moves of elements."""

import math as _m
import _tilewise
from tensorflow import _dtypes
from tensorflow._math import axes_of, cast
from tensorflow._public import state
from tensorflow import _open
from tensorflow._open import counts_examples, sizes_as_tensor
from tensorflow._shape import TensorShape, made
from tensorflow._tensor import Tensor, convert, handle, number_of, pair, tensor, wrap, wraps

_op = _tilewise.op
_unk = _tilewise.is_unknown
_shape = _tilewise.shape
_range, _slice = range, slice

def ints(values, open=False):
    """A list of sizes; what is not known is -1 when `open`, else makes the list Unknown."""
    if isinstance(values, Tensor):
        found = _tilewise.numbers(handle(values))
        if found is None:
            if open and len(_shape(values._h)) == 1 and _shape(values._h)[0] == 1:
                return [-1]
            return _tilewise.unknown("sizes that are data")
        return found if isinstance(found, list) else [found]
    if isinstance(values, int):
        return [values]
    if _unk(values):
        return values
    result = []
    for v in (values.as_list() if isinstance(values, TensorShape) else values):
        if not isinstance(v, int):
            v = None if v is None else number_of(getattr(v, "value", v) if not isinstance(v, Tensor)
                                                 else v)
            if v is None:
                if not open or -1 in result:
                    return _tilewise.unknown("a size that is data")
                v = -1
        result.append(int(v))
    return result


def reshaped(h, sizes):
    return wrap(_op("tw.reshape", [h], {"shape": sizes}))


def reshape(tensor=None, shape=None, name=None):
    if hasattr(tensor, "reshaped"):
        return tensor.reshaped(shape)
    if getattr(tensor, "_strings", None) is not None:
        return tensor.reshaped(ints(shape, True))
    sizes = ints(shape, True)
    if _unk(sizes):
        return sizes
    h = handle(tensor)
    if not _unk(h) and not _fits(_shape(h), sizes):
        sizes = [_tilewise.open_dim() if n < 0 else n for n in sizes]
        return wrap(_tilewise.input(sizes, _tilewise.dtype(h), "data", None))
    return reshaped(h, sizes)


def _fits(have, sizes):
    """Whether a reshape can be made; data of a size that is not known has what is asked for."""
    n, wanted = _m.prod(have), _m.prod([s for s in sizes if s >= 0])
    if wanted == n or -1 in sizes and wanted and n % wanted == 0:
        return True
    return _tilewise.open_size(n) is not None


def shape(input, out_type=_dtypes.int32, name=None, name2=None):
    if hasattr(input, "dynamic_shape"):
        return input.dynamic_shape()
    h = handle(input)
    return h if _unk(h) else sizes_as_tensor(list(_shape(h)), _dtypes.code_of(out_type))


shape_n = lambda input, out_type=_dtypes.int32, name=None: [shape(x, out_type) for x in input]


def size(input, out_type=_dtypes.int32, name=None):
    h = handle(input)
    return h if _unk(h) else wrap(_tilewise.known(_m.prod(_shape(h)), _dtypes.code_of(out_type)))


def rank(input, name=None):
    h = handle(input)
    return h if _unk(h) else wrap(_tilewise.known(len(_shape(h)), "s32"))


def transpose(a=None, perm=None, conjugate=False, name="transpose"):
    h = handle(a)
    if _unk(h):
        return h
    if perm is None:
        return wrap(_op("tw.transpose", [h]))
    perm = ints(perm)
    if _unk(perm):
        return perm
    if perm == list(_range(len(perm))):
        return tensor(a)
    return wrap(_op("tw.transpose", [h], {"permutation": perm}))


def expand_dims(input=None, axis=None, name=None, dim=None):
    if hasattr(input, "expanded"):
        return input.expanded(axis)
    axis = number_of(dim if axis is None else axis) if not isinstance(axis, (list, tuple)) \
        else axis[0]
    h = handle(input)
    if _unk(h):
        return h
    sizes = list(_shape(h))
    axis = int(axis)
    sizes.insert(axis + len(sizes) + 1 if axis < 0 else axis, 1)
    if getattr(input, "_strings", None) is not None:
        return input.reshaped(sizes)
    return reshaped(h, sizes)


def squeeze(input=None, axis=None, name=None, squeeze_dims=None):
    axis = squeeze_dims if axis is None else axis
    h = handle(input)
    if _unk(h):
        return h
    sizes = list(_shape(h))
    if axis is None or axis == []:
        return reshaped(h, [n for n in sizes if n != 1])
    gone = axes_of(axis, len(sizes))
    for i in gone:
        if sizes[i] != 1 and _tilewise.open_size(sizes[i]) is None:
            # A size that only the run tells has to be one there.
            h = handle(wrap(h)[(_slice(None),) * i + (_slice(0, 1),)])
            sizes[i] = 1
    return reshaped(h, [n for i, n in enumerate(sizes) if i not in gone])


def concat(values=None, axis=None, name="concat"):
    if isinstance(values, int) and isinstance(axis, (list, tuple)):
        values, axis = axis, values  # the order before 1.0
    if isinstance(values, Tensor):
        values = list(values)
    if _unk(values):
        return values
    values = _tilewise.closed(values)
    if len(values) == 1:
        return tensor(values[0])
    for v in values:
        if hasattr(v, "concatenated"):
            return v.concatenated(values, axis)
    handles = [handle(v) for v in values]
    code = None
    for v, h in zip(values, handles):
        if isinstance(v, Tensor) and not _unk(h):
            code = _tilewise.dtype(h)
            break
    if code is not None:
        handles = [h if isinstance(v, Tensor) else convert(h, code)
                   for v, h in zip(values, handles)]
    axis = number_of(axis)
    if axis is None:
        return _tilewise.unknown("an axis that is data")
    for h in handles:
        if _unk(h):
            return h
    axis = int(axis)
    return wrap(_op("tw.concatenate", _open.alike(handles, axis), {"dim": axis}))


def stack(values, axis=0, name="stack"):
    if isinstance(values, Tensor):
        return tensor(values) if axis == 0 else stack(list(values), axis)
    values = _tilewise.closed(values)
    if axis == 0:
        return tensor(list(values))
    parts = [v if isinstance(v, Tensor) else tensor(v) for v in values]
    handles = [handle(p) for p in parts]
    if not [h for h in handles if _unk(h)]:
        handles = _open.alike(handles)
    return wrap(_op("tw.stack", handles, {"dim": axis}))


parallel_stack = stack


def unstack(value, num=None, axis=0, name="unstack"):
    h = handle(value)
    if _unk(h):
        return h
    sizes = list(_shape(h))
    axis = axes_of(axis, len(sizes))[0]
    n = sizes.pop(axis)
    if num is None and _tilewise.open_size(n) is None:
        return _tilewise.unknown("rows whose number is not known")
    parts = []
    for i in _range(n if num is None else num):
        parts.append(reshaped(_cut(h, axis, i, i + 1), sizes))
    return parts


def _cut(h, axis, start, limit):
    n = len(_shape(h))
    starts, limits = [0] * n, list(_shape(h))
    starts[axis], limits[axis] = start, limit
    return _op("tw.slice", [h], {"starts": starts, "limits": limits})


def split(value=None, num_or_size_splits=None, axis=0, num=None, name="split"):
    if isinstance(value, int) and isinstance(axis, Tensor):
        value, axis = axis, value  # the order before 1.0
    h = handle(value)
    if _unk(h):
        return h
    axis = axes_of(axis, len(_shape(h)))[0]
    n = _shape(h)[axis]
    count = number_of(num_or_size_splits) if not isinstance(num_or_size_splits, (list, tuple)) \
        else None
    if count is not None:
        count = int(count)
        if n % count != 0:
            raise ValueError("Dimension " + str(n) + " cannot be split in " + str(count))
        sizes = [n // count] * count
    else:
        sizes = ints(num_or_size_splits, True)
        if _unk(sizes):
            return sizes
        if -1 in sizes:
            left = n - sum([s for s in sizes if s >= 0])
            sizes = [left if s < 0 else s for s in sizes]
    parts, at = [], 0
    for s in sizes:
        parts.append(wrap(_cut(h, axis, at, at + s)))
        at += s
    return parts


def slice(input_, begin, size, name=None):
    h = handle(input_)
    wanted, starts = ints(size), ints(begin)
    if _unk(wanted):
        from tensorflow._strings import outside
        return h if _unk(h) else outside([None] * len(_shape(h)), _tilewise.dtype(h), "a slice")
    sizes = list(_shape(h))
    if _unk(starts):
        sizes = [n if w < 0 else w for n, w in zip(sizes, wanted)]
        return wrap(_op("tw.dynamic_slice", [h, handle(begin)] if isinstance(begin, Tensor) else
                        [h] + [handle(b) for b in begin], {"sizes": sizes}))
    limits = [n if w < 0 else s + w for n, s, w in zip(sizes, starts, wanted)]
    return wrap(_op("tw.slice", [h], {"starts": starts, "limits": limits}))


def strided_slice(input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0,
                  new_axis_mask=0, shrink_axis_mask=0, var=None, name=None):
    begin, end = ints(begin), ints(end)
    if _unk(begin) or _unk(end):
        return _tilewise.unknown("a slice whose bounds are data")
    strides = [1] * len(begin) if strides is None else ints(strides)
    index = []
    for i, (a, b, s) in enumerate(zip(begin, end, strides)):
        bit = 1 << i
        if ellipsis_mask & bit:
            index.append(Ellipsis)
        elif new_axis_mask & bit:
            index.append(None)
        elif shrink_axis_mask & bit:
            index.append(a)
        else:
            index.append(_slice(None if begin_mask & bit else a, None if end_mask & bit else b, s))
    return tensor(input_)[tuple(index)]


def tile(input, multiples, name=None):
    repeats = ints(multiples)
    return repeats if _unk(repeats) else wrap(_op("tw.tile", [handle(input)], {"repeats": repeats}))


def repeat(input, repeats, axis=None, name=None):
    h = handle(input)
    if _unk(h):
        return h
    if axis is None:
        h, axis = _op("tw.reshape", [h], {"shape": [-1]}), 0
    sizes = list(_shape(h))
    axis = axes_of(axis, len(sizes))[0]
    counts = ints(repeats)
    if _unk(counts):
        return _tilewise.unknown("elements that are repeated as often as data says")
    if len(counts) > 1:
        places = [i for i, n in enumerate(counts) for _ in _range(n)]
        return wrap(_op("tw.take", [h, _tilewise.known(places, "s32")], {"axis": axis}))
    wide = sizes[:axis + 1] + [counts[0]] + sizes[axis + 1:]
    dims = [i for i in _range(len(wide)) if i != axis + 1]
    h = _op("tw.broadcast_in_dim", [h], {"shape": wide, "dims": dims})
    return reshaped(h, sizes[:axis] + [sizes[axis] * counts[0]] + sizes[axis + 1:])


def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    h = handle(tensor)
    pairs = _tilewise.numbers(handle(paddings)) if not isinstance(paddings, (list, tuple)) else \
        [ints(p) for p in paddings]
    if _unk(h) or _unk(paddings) and not state.host:
        return h if _unk(h) else paddings
    for p in pairs or [None]:
        if p is None or _unk(p) or _unk(p[0]) or _unk(p[1]):
            from tensorflow._spaces import open_pad
            return open_pad(h, pairs)
    low, high = [p[0] for p in pairs], [p[1] for p in pairs]
    if not any(low) and not any(high):
        return wrap(h)
    if 0 in _shape(h):
        sizes = [n + a + b for n, a, b in zip(_shape(h), low, high)]
        return wrap(_tilewise.full(number_of(constant_values) or 0, sizes, _tilewise.dtype(h)))
    if mode.upper() != "CONSTANT":
        return wrap(_op("tw.pad_mode", [h], {"low": low, "high": high, "mode": mode.lower()}))
    return wrap(_op("tw.pad", [h], {"low": low, "high": high,
                                    "value": number_of(constant_values) or 0}))


def fill(dims, value, name=None, layout=None):
    sizes = ints(dims)
    if _unk(sizes):
        return sizes
    number = number_of(value)
    h = handle(value)
    if number is None:
        return wrap(_op("tw.broadcast_in_dim", [h], {"shape": sizes, "dims": []}))
    return wrap(_tilewise.full(number, sizes, _tilewise.dtype(h)))


def _filled(number):
    def function(shape, dtype=_dtypes.float32, name=None, layout=None):
        sizes = ints(shape)
        return sizes if _unk(sizes) else wrap(_tilewise.full(number, sizes, _dtypes.code_of(dtype)))
    return function


zeros, ones = _filled(0), _filled(1)


def _alike(number):
    def function(input=None, dtype=None, name=None, optimize=True, layout=None, tensor=None):
        h = handle(tensor if input is None else input)
        if _unk(h):
            return h
        code = _tilewise.dtype(h) if dtype is None else _dtypes.code_of(dtype)
        return wrap(_tilewise.full(number, list(_shape(h)), code))
    return function


zeros_like, ones_like = _alike(0), _alike(1)


def fill_like(x, number):
    h = handle(x)
    return wrap(_tilewise.full(number, list(_shape(h)), _tilewise.dtype(h)))


def eye(num_rows, num_columns=None, batch_shape=None, dtype=_dtypes.float32, name=None):
    rows = ints(num_rows)
    columns = rows if num_columns is None else ints(num_columns)
    if _unk(rows) or _unk(columns):
        return _tilewise.unknown("a matrix whose size is data")
    h = _op("tw.eye", [], {"rows": rows[0], "columns": columns[0], "dtype": _dtypes.code_of(dtype)})
    if batch_shape is None:
        return wrap(h)
    return broadcast_to(wrap(h), ints(batch_shape) + [rows[0], columns[0]])


def range(start, limit=None, delta=1, dtype=None, name="range"):
    if limit is None:
        start, limit = 0, start
    a, b, step = number_of(start), number_of(limit), number_of(delta)
    if a is None or b is None or step is None:
        return _tilewise.unknown("a range whose end is data")
    if dtype is not None:
        code = _dtypes.code_of(dtype)
    else:
        code = "s32"
        for v in (start, limit, delta):
            if isinstance(v, float):
                code = "f32"
            elif isinstance(v, Tensor) and code == "s32":
                code = _tilewise.dtype(handle(v))
    n = max(0, _m.ceil((b - a) / step))
    if n == 0:
        return wrap(_tilewise.full(0, [0], code))
    if n == state.batch and step == 1 and counts_examples(limit, n):
        return wrap(_tilewise.input([n], code, "range", 0))
    h = _op("tw.iota", [], {"shape": [n], "dim": 0, "dtype": code})
    if step != 1:
        h = _op("tw.binary", [h, _tilewise.known(step, code)], {"kind": "multiply"})
    if a != 0:
        h = _op("tw.binary", [h, _tilewise.known(a, code)], {"kind": "add"})
    return wrap(h)


def linspace(start, stop, num, name=None, axis=0):
    a, b, n = number_of(start), number_of(stop), number_of(num)
    if n is None:
        return _tilewise.unknown("a number of points that is data")
    n = int(n)
    if a is not None and b is not None and n <= 4096:
        step = (b - a) / max(1, n - 1)
        return wrap(_tilewise.known([a + step * i for i in _range(n)], "f32"))
    step = (tensor(stop) - start) / float(max(1, n - 1))
    return cast(range(n), "float32") * step + start


lin_space = linspace


def broadcast_to(input, shape, name=None):
    sizes = ints(shape)
    if _unk(sizes):
        return sizes
    h = handle(input)
    have = _shape(h)
    if list(have) == sizes:
        return wrap(h)
    first = len(sizes) - len(have)
    sizes = [have[i - first] if n < 0 else n for i, n in enumerate(sizes)]
    return wrap(_op("tw.broadcast_in_dim", [h], {
        "shape": sizes, "dims": list(_range(first, len(sizes)))}))


def _joint(*shapes):
    n = max([len(s) for s in shapes])
    result = [1] * n
    for s in shapes:
        for i, size in enumerate(s):
            if size != 1:
                result[n - len(s) + i] = size
    return result


def broadcast_static_shape(shape_x, shape_y):
    return made(_joint(list(shape_x), list(shape_y)))


def broadcast_dynamic_shape(shape_x, shape_y):
    return tensor(_joint(ints(shape_x), ints(shape_y)))


def meshgrid(*args, indexing="xy", name=None, **ignored):
    handles = [handle(a) for a in args]
    sizes = [_m.prod(_shape(h)) for h in handles]
    order = list(_range(len(sizes)))
    if indexing == "xy" and len(order) > 1:
        order[0], order[1] = 1, 0
    shape = [sizes[i] for i in order]
    results = []
    for i, h in enumerate(handles):
        h = _op("tw.reshape", [h], {"shape": [sizes[i]]})
        results.append(wrap(_op("tw.broadcast_in_dim", [h], {"shape": shape,
                                                             "dims": [order.index(i)]})))
    return results


def reverse(tensor, axis, name=None):
    h = handle(tensor)
    return wrap(_op("tw.reverse", [h], {"dims": axes_of(axis, len(_shape(h)))}))


def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None, **old):
    axis = old.get("seq_dim", 1) if seq_axis is None else seq_axis
    return reverse(input, [axis])


def roll(input, shift, axis, name=None):
    h = handle(input)
    shifts, dims = ints(shift), axes_of(axis, len(_shape(h)))
    if _unk(shifts):
        return wrap(h)
    for by, dim in zip(shifts, dims):
        n = _shape(h)[dim]
        by %= n
        if by and dim == 0 and _tilewise.numbers(h) is None:
            # The first dim is the batch mostly, which slices would hide.
            h = _op("tw.rotate", [h], {})
        elif by:
            h = _op("tw.concatenate", [_cut(h, dim, n - by, n), _cut(h, dim, 0, n - by)],
                    {"dim": dim})
    return wrap(h)


def identity(input, name=None):
    return input.same() if hasattr(input, "same") else tensor(input)


def identity_n(input, name=None):
    return [identity(x) for x in input]


def stop_gradient(input, name=None):
    return input if isinstance(input, (list, tuple)) else identity(input)


def ensure_shape(x, shape, name=None):
    x = wrap(handle(x))
    x.set_shape(shape)
    return x


def bitcast(input, type, name=None):
    return wrap(_op("tw.bitcast", [handle(input)], {"dtype": _dtypes.code_of(type)}))


def sequence_mask(lengths, maxlen=None, dtype=_dtypes.bool_, name=None):
    n = number_of(maxlen)
    if n is None:
        found = _tilewise.numbers(handle(lengths))
        n = max(found) if isinstance(found, list) else found
        if n is None:
            return _tilewise.unknown("a mask as long as data says")
    h = handle(lengths)
    places = _op("tw.iota", [], {"shape": [int(n)], "dim": 0, "dtype": _tilewise.dtype(h)})
    wide = _op("tw.reshape", [h], {"shape": list(_shape(h)) + [1]})
    return cast(wrap(_op("tw.compare", [places, wide], {"direction": "LT"})), dtype)
