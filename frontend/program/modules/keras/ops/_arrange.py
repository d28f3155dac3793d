"""Making arrays and moving their elements, as numpy names it."""

import math

import _tilewise as _t
from keras import _leaf as _l
from keras import _policy
from keras._leaf import (FLOATS, Tensor, axes_of, code, code_of, dims, floating, full as _full,
                         h_of, op, put, reshape as _reshape, sizes, unary, wrap)


def _float_code(dtype):
    return code_of(dtype if dtype is not None else _policy.floatx())


def array(x, dtype=None):
    h = h_of(x)
    return wrap(h if dtype is None else put(h, code_of(dtype)))


def copy(x):
    return wrap(h_of(x))


def zeros(shape, dtype=None):
    return wrap(_full(0, sizes(shape), _float_code(dtype)))


def ones(shape, dtype=None):
    return wrap(_full(1, sizes(shape), _float_code(dtype)))


empty = zeros


def full(shape, fill_value, dtype=None):
    if isinstance(fill_value, (int, float)):
        return wrap(_full(fill_value, sizes(shape), _float_code(dtype)))
    h = h_of(fill_value)
    return wrap(_l.broadcast(h if dtype is None else put(h, code_of(dtype)), sizes(shape)))


def full_like(x, fill_value, dtype=None):
    h = h_of(x)
    to = code(h) if dtype is None else code_of(dtype)
    if isinstance(fill_value, (int, float)):
        return wrap(_full(fill_value, dims(h), to))
    return wrap(_l.broadcast(put(h_of(fill_value), to), dims(h)))


def zeros_like(x, dtype=None):
    return full_like(x, 0, dtype)


def ones_like(x, dtype=None):
    return full_like(x, 1, dtype)


empty_like = zeros_like


def arange(start, stop=None, step=None, dtype=None):
    values = [start, stop, step]
    if stop is None:
        values = [0, start, step]
    if values[2] is None:
        values[2] = 1
    numbers = []
    for v in values:
        if isinstance(v, Tensor):
            v = _l.known_int(v._h)
            if v is None:
                _t.note("a range whose ends are data is taken to have one element")
                return wrap(_full(0, [1], code_of(dtype, "s32")))
        numbers.append(v)
    first, last, by = numbers
    n = max(0, math.ceil((last - first) / by))
    whole = all([isinstance(v, int) for v in numbers])
    to = code_of(dtype, "s32" if whole else _float_code(None))
    if n == 0:
        return wrap(_full(0, [0], to))
    h = _l.iota(n, to)
    if by != 1:
        h = _l.mul(h, by)
    return wrap(_l.binary("add", h, first) if first else h)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    step_count = max(num - 1 if endpoint else num, 1)
    places = _l.iota(num, _float_code(dtype))
    a, b = h_of(start, "f32"), h_of(stop, "f32")
    a, b = floating(a), floating(b)
    step = _l.mul(_l.sub(b, a), 1.0 / step_count)
    if dims(step):
        places = _reshape(places, (num,) + (1,) * len(dims(step)))
    y = wrap(_l.add(_l.mul(places, step), a))
    return (y, wrap(step)) if retstep else y


def logspace(start, stop, num=50, endpoint=True, base=10, dtype=None, axis=0):
    y = linspace(start, stop, num, endpoint, dtype=dtype)
    return wrap(unary("exp", _l.mul(y._h, math.log(base))))


geomspace = linspace


def eye(N, M=None, k=0, dtype=None):
    return wrap(op("tw.eye", [], {"rows": int(N), "columns": int(M or N), "k": k,
                                  "dtype": _float_code(dtype)}))


def identity(n, dtype=None):
    return eye(n, dtype=dtype)


def tri(N, M=None, k=0, dtype=None):
    h = _full(1, [N, M or N], _float_code(dtype))
    return wrap(op("tw.triangle", [h], {"lower": True, "k": k}))


def tril(x, k=0):
    return wrap(op("tw.triangle", [h_of(x)], {"lower": True, "k": k}))


def triu(x, k=0):
    return wrap(op("tw.triangle", [h_of(x)], {"lower": False, "k": k}))


def _window(x):
    return wrap(_full(0.5, [int(x)], "f32"))


bartlett = blackman = hamming = hanning = _window


def kaiser(x, beta):
    return _window(x)


# ---- shapes


def shape(x):
    if isinstance(x, Tensor):
        from tensorflow._tensor import KerasTensor
        return tuple(x.shape) if isinstance(x, KerasTensor) else tuple(dims(x._h))
    return tuple(dims(h_of(x)))


def ndim(x):
    return len(dims(h_of(x)))


def size(x):
    return math.prod(dims(h_of(x)))


def reshape(x, newshape):
    return wrap(_reshape(h_of(x), sizes(newshape)))


def ravel(x):
    return wrap(_reshape(h_of(x), (-1,)))


def view(x, dtype=None):
    return array(x, dtype)


def transpose(x, axes=None):
    h = h_of(x)
    n = len(dims(h))
    return wrap(_l.transpose(h, range(n)[::-1] if axes is None else [a % n for a in axes]))


def moveaxis(x, source, destination):
    h = h_of(x)
    n = len(dims(h))
    a, b = axes_of(source, n), axes_of(destination, n)
    order = [i for i in range(n) if i not in a]
    for to, of in sorted(zip(b, a)):
        order.insert(to, of)
    return wrap(_l.transpose(h, order))


def swapaxes(x, axis1, axis2):
    h = h_of(x)
    order = list(range(len(dims(h))))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return wrap(_l.transpose(h, order))


def expand_dims(x, axis):
    h = h_of(x)
    return wrap(op("tw.unsqueeze", [h], {"dims": [axis] if isinstance(axis, int)
                                         else list(axis)}))


def squeeze(x, axis=None):
    h = h_of(x)
    n = len(dims(h))
    axes = [i for i, d in enumerate(dims(h)) if d == 1] if axis is None else axes_of(axis, n)
    return wrap(op("tw.squeeze", [h], {"dims": axes}) if axes else h)


def broadcast_to(x, shape):
    return wrap(_l.broadcast(h_of(x), sizes(shape)))


def concatenate(xs, axis=0):
    return wrap(op("tw.concatenate", [h_of(x) for x in xs], {"dim": axis}))


def append(x1, x2, axis=None):
    if axis is None:
        return concatenate([ravel(x1), ravel(x2)])
    return concatenate([x1, x2], axis)


def stack(x, axis=0):
    return wrap(op("tw.stack", [h_of(v) for v in x], {"dim": axis}))


def _at_least(h, n):
    return _reshape(h, (1,) * (n - len(dims(h))) + tuple(dims(h))) if len(dims(h)) < n else h


def hstack(xs):
    hs = [_at_least(h_of(x), 1) for x in xs]
    return wrap(_l.concat(hs, 0 if len(dims(hs[0])) == 1 else 1))


def vstack(xs):
    return wrap(_l.concat([_at_least(h_of(x), 2) for x in xs], 0))


def split(x, indices_or_sections, axis=0):
    h = h_of(x)
    n = dims(h)[axis]
    if isinstance(indices_or_sections, int):
        step = n // indices_or_sections
        ends = [step * (i + 1) for i in range(indices_or_sections)]
    else:
        ends = [int(v) for v in sizes(indices_or_sections)] + [n]
    parts, low = [], 0
    for high in ends:
        parts.append(wrap(_l.cut(h, axis, low, high)))
        low = high
    return parts


def array_split(x, indices_or_sections, axis=0):
    if not isinstance(indices_or_sections, int):
        return split(x, indices_or_sections, axis)
    n, k = dims(h_of(x))[axis], indices_or_sections
    ends = [(n // k + 1) * i if i < n % k else n // k * i + n % k for i in range(1, k)]
    return split(x, ends, axis)


def unstack(x, num=None, axis=0):
    h = h_of(x)
    return [wrap(_l.at(h, axis % len(dims(h)), i)) for i in range(num or dims(h)[axis])]


def flip(x, axis=None):
    h = h_of(x)
    return wrap(op("tw.reverse", [h], {"dims": axes_of(axis, len(dims(h)))}))


def fliplr(x):
    return flip(x, 1)


def flipud(x):
    return flip(x, 0)


def rot90(array, k=1, axes=(0, 1)):
    k %= 4
    if k == 0:
        return array
    if k == 2:
        return flip(array, list(axes))
    turned = swapaxes(array, axes[0], axes[1])
    return flip(turned, axes[0] if k == 1 else axes[1])


def roll(x, shift, axis=None):
    h = h_of(x)
    if axis is None:
        return wrap(_reshape(roll(ravel(x), shift, 0)._h, dims(h)))
    shifts = [shift] if isinstance(axis, int) else list(shift)
    for by, a in zip(shifts, [axis] if isinstance(axis, int) else list(axis)):
        n = dims(h)[a]
        by = by % n if isinstance(by, int) else n // 2
        if by:
            h = _l.concat([_l.cut(h, a, n - by, n), _l.cut(h, a, 0, n - by)], a)
    return wrap(h)


def tile(x, repeats):
    repeats = [repeats] if isinstance(repeats, int) else sizes(repeats)
    return wrap(op("tw.tile", [h_of(x)], {"repeats": repeats}))


def repeat(x, repeats, axis=None):
    h = h_of(x)
    if axis is None:
        h, axis = _reshape(h, (-1,)), 0
    n = len(dims(h))
    axis %= n
    if not isinstance(repeats, int):
        counts = sizes(repeats)
        if -1 in counts:
            return _t.unknown("how often elements are repeated")
        if len(counts) > 1:
            places = [i for i, k in enumerate(counts) for _ in range(k)]
            return wrap(op("tw.take", [h, h_of(places)], {"axis": axis}))
        repeats = counts[0]
    d = list(dims(h))
    wide = _l.broadcast(_reshape(h, d[:axis + 1] + [1] + d[axis + 1:]),
                        d[:axis + 1] + [repeats] + d[axis + 1:])
    return wrap(_reshape(wide, d[:axis] + [d[axis] * repeats] + d[axis + 1:]))


def pad(x, pad_width, mode="constant", constant_values=None):
    h = h_of(x)
    n = len(dims(h))
    pairs = pad_width
    if isinstance(pairs, int):
        pairs = [(pairs, pairs)] * n
    else:
        pairs = [(p, p) if isinstance(p, int) else tuple(p) for p in pairs] \
            if not isinstance(pairs[0], int) or n == 1 and len(pairs) == 1 else [tuple(pairs)] * n
        pairs = pairs * n if len(pairs) == 1 else pairs
    value = constant_values if isinstance(constant_values, (int, float)) else 0
    return wrap(_l.pad(h, [p[0] for p in pairs], [p[1] for p in pairs], value,
                       mode if mode in ("reflect", "symmetric", "edge", "wrap") else "constant"))


def take(x, indices, axis=None):
    h = h_of(x)
    if axis is None:
        h, axis = _reshape(h, (-1,)), 0
    i = h_of(indices)
    if code(i) in FLOATS:
        i = put(i, "s32")
    return wrap(op("tw.take", [h, i], {"axis": axis % len(dims(h))}))


def take_along_axis(x, indices, axis=None):
    h, i = h_of(x), put(h_of(indices), "s32")
    if axis is None:
        h, i, axis = _reshape(h, (-1,)), _reshape(i, (-1,)), 0
    shape = [n if d == axis % len(dims(h)) else m for d, (m, n) in
             enumerate(zip(dims(h), dims(i)))]
    return wrap(op("tw.take_along", [h, _l.broadcast(i, shape)], {"axis": axis}))


def get_item(x, key):
    return x[key]


def diagonal(x, offset=0, axis1=0, axis2=1):
    h = h_of(x)
    n = len(dims(h))
    a, b = axis1 % n, axis2 % n
    h = _l.transpose(h, [i for i in range(n) if i not in (a, b)] + [a, b])
    rows, columns = dims(h)[-2:]
    first, count = max(-offset, 0), 0
    count = min(rows - first, columns - max(offset, 0))
    flat = _reshape(h, tuple(dims(h)[:-2]) + (rows * columns,))
    start = first * columns + max(offset, 0)
    return wrap(_l.cut(flat, -1, start, start + (count - 1) * (columns + 1) + 1, columns + 1))


def diag(x, k=0):
    h = h_of(x)
    if len(dims(h)) == 2:
        return diagonal(x, k)
    n = dims(h)[0]
    unit = op("tw.eye", [], {"rows": n, "dtype": code(h)})
    y = _l.mul(unit, _l.expand(h, -1))
    return wrap(_l.pad(y, [max(-k, 0), max(k, 0)], [max(k, 0), max(-k, 0)]) if k else y)


def diagflat(x, k=0):
    return diag(ravel(x), k)


def meshgrid(*x, indexing="xy"):
    hs = [_reshape(h_of(v), (-1,)) for v in x]
    lengths = [dims(h)[0] for h in hs]
    order = list(range(len(hs)))
    if indexing == "xy" and len(hs) > 1:
        order[0], order[1] = 1, 0
    shape = [lengths[i] for i in order]
    result = []
    for i, h in enumerate(hs):
        own = [1] * len(hs)
        own[order.index(i)] = lengths[i]
        result.append(wrap(_l.broadcast(_reshape(h, own), shape)))
    return result


def vander(x, N=None, increasing=False):
    h = floating(h_of(x))
    n = N or dims(h)[0]
    powers = _l.iota(n, code(h))
    return wrap(_l.binary("power", _l.expand(h, -1), powers))


def unravel_index(indices, shape):
    h, result = h_of(indices), []
    for n in list(shape)[::-1]:
        result.append(wrap(_l.binary("floor_modulo", h, int(n))))
        h = _l.binary("floor_divide", h, int(n))
    return tuple(result[::-1])


def vectorize(pyfunc, excluded=None, signature=None):
    return pyfunc
