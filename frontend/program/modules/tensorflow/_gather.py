"""Elements at places that are data, choices, orders."""

import math as _m
import _tilewise
from tensorflow import _dtypes
from tensorflow._array import ints, reshaped
from tensorflow._dtypes import code_of
from tensorflow._math import axes_of
from tensorflow._tensor import (Tensor, compare, convert, handle, number_of, pair, tensor, unary,
                                wrap)

_op = _tilewise.op
_unk = _tilewise.is_unknown
_shape = _tilewise.shape


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    if _unk(params) or _unk(indices):
        return params if _unk(params) else indices
    if hasattr(indices, "with_values"):
        return indices.with_values(gather(params, indices.values, None, axis, batch_dims))
    if getattr(params, "_strings", None) is not None:
        return params.element(indices)
    x, places = handle(params), handle(indices)
    if _unk(x) or _unk(places):
        return x if _unk(x) else places
    if not _shape(places) and hasattr(axis, "_h") is False and not batch_dims:
        found = number_of(tensor(indices))
        if found is not None:
            return tensor(params)[tuple([slice(None)] * ((axis or 0) % len(_shape(x))) +
                                        [int(found)])]
    batch_dims = batch_dims + len(_shape(places)) if batch_dims < 0 else batch_dims
    axis = batch_dims if axis is None else int(number_of(axis))
    return wrap(_op("tw.take", [x, places], {"axis": axis, "batch_dims": batch_dims}))


def batch_gather(params, indices, name=None):
    return gather(params, indices, None, None, -1)


def gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy=""):
    return wrap(_op("tw.gather_nd", [handle(params), handle(indices)],
                    {"batch_dims": batch_dims}))


def _scatter(kind, negate=False):
    def function(tensor, indices, updates, name=None):
        x, places, new = handle(tensor), handle(indices), handle(updates)
        if negate:
            new = _op("tw.unary", [new], {"kind": "negate"})
        return wrap(_op("tw.scatter_nd", [x, places, new], {"kind": kind}))
    return function


tensor_scatter_nd_update, tensor_scatter_nd_add = _scatter("assign"), _scatter("add")
tensor_scatter_nd_sub = _scatter("add", True)
tensor_scatter_nd_max, tensor_scatter_nd_min = _scatter("max"), _scatter("min")


def scatter_nd(indices, updates, shape, name=None):
    sizes = ints(shape)
    if _unk(sizes):
        return sizes
    new = handle(updates)
    zero = _tilewise.full(0, sizes, _tilewise.dtype(new))
    return wrap(_op("tw.scatter_nd", [zero, handle(indices), new], {"kind": "add"}))


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    n = number_of(depth)
    if n is None:
        return _tilewise.unknown("a number of classes that is data")
    on, off = number_of(on_value), number_of(off_value)
    if dtype is None:
        given = on_value if on_value is not None else off_value
        code = "f32" if given is None or isinstance(given, float) else \
            _tilewise.dtype(handle(given))
    else:
        code = code_of(dtype)
    h = handle(indices)
    if not _unk(h) and _tilewise.dtype(h)[0] not in "su":
        h = convert(h, "s32")
    return wrap(_op("tw.one_hot", [h], {"depth": int(n), "axis": -1 if axis is None else axis,
                                        "on": 1 if on is None else on, "off": off or 0,
                                        "dtype": code}))


def where(condition, x=None, y=None, name=None):
    c = handle(condition)
    if _unk(c):
        return c
    if x is None and y is None:
        _tilewise.record("dynamic", what="where")
        n = _m.prod(_shape(c))
        _tilewise.note("places where a condition holds are taken as all places")
        return wrap(_tilewise.input([max(1, n), max(1, len(_shape(c)))], "s64", "places", None))
    if _tilewise.dtype(c) != "pred":
        c = convert(c, "pred")
    a, b = pair(x, y)
    if _unk(a) or _unk(b):
        return a if _unk(a) else b
    return wrap(_op("tw.select", [c, a, b]))


def boolean_mask(tensor, mask, name="boolean_mask", axis=None):
    x, m = handle(tensor), handle(mask)
    if _unk(x) or _unk(m):
        return x if _unk(x) else m
    axis = axes_of(axis or 0, len(_shape(x)))[0]
    found = _tilewise.numbers(m)
    if isinstance(found, list) and len(_shape(m)) == 1:
        places = [i for i, keep in enumerate(found) if keep]
        if places:
            return wrap(_op("tw.take", [x, _tilewise.known(places, "s32")], {"axis": axis}))
    _tilewise.record("dynamic", what="boolean mask")
    sizes = list(_shape(x))
    k = len(_shape(m))
    return reshaped(x, sizes[:axis] + [_m.prod(sizes[axis:axis + k])] + sizes[axis + k:])


def dynamic_partition(data, partitions, num_partitions, name=None):
    _tilewise.record("dynamic", what="dynamic_partition")
    return [tensor(data) for _ in range(num_partitions)]


def dynamic_stitch(indices, data, name=None):
    from tensorflow._array import concat
    return concat([reshaped(handle(d), [-1] + list(_shape(handle(d)))[len(_shape(handle(i))):])
                   for i, d in zip(indices, data)], 0)


def sort(values, axis=-1, direction="ASCENDING", name=None):
    return wrap(_op("tw.sort", [handle(values)], {
        "dim": axis, "descending": direction[0] == "D"}))


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    return wrap(_op("tw.arg_sort", [handle(values)], {
        "dim": axis, "descending": direction[0] == "D"}))


def unique(x, out_idx=_dtypes.int32, name=None):
    _tilewise.record("dynamic", what="unique")
    h = handle(x)
    if _unk(h):
        return h, h
    found = _tilewise.numbers(h)
    if isinstance(found, list):
        kept = []
        for v in found:
            if v not in kept:
                kept.append(v)
        return (wrap(_tilewise.known(kept, _tilewise.dtype(h))),
                wrap(_tilewise.known([kept.index(v) for v in found], code_of(out_idx))))
    return wrap(h), wrap(_op("tw.iota", [], {"shape": list(_shape(h)), "dim": 0,
                                             "dtype": code_of(out_idx)}))


def unique_with_counts(x, out_idx=_dtypes.int32, name=None):
    y, places = unique(x, out_idx)
    return y, places, wrap(_tilewise.full(1, list(_shape(y._h)), code_of(out_idx)))


def searchsorted(sorted_sequence, values, side="left", out_type=_dtypes.int32, name=None):
    x, y = handle(sorted_sequence), handle(values)
    wide = _op("tw.reshape", [y], {"shape": list(_shape(y)) + [1]})
    row = _op("tw.reshape", [x], {"shape": list(_shape(x))[:-1] + [1] + [_shape(x)[-1]]}) \
        if len(_shape(x)) > 1 else x
    before = _op("tw.compare", [row, wide], {"direction": "LT" if side == "left" else "LE"})
    return wrap(_op("tw.reduce", [convert(before, code_of(out_type))],
                    {"kind": "sum", "dims": [-1]}))


def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=_dtypes.int32, name=None):
    low, high = value_range[0], value_range[1]
    place = (tensor(values) - low) / (high - low) * float(nbins)
    h = convert(unary("floor", place)._h, code_of(dtype))
    return wrap(_op("tw.clamp", [h], {"min": 0, "max": nbins - 1}))


def histogram_fixed_width(values, value_range, nbins=100, dtype=_dtypes.int32, name=None):
    from tensorflow._math import bincount
    return bincount(histogram_fixed_width_bins(values, value_range, nbins), None, nbins, None,
                    dtype)


def invert_permutation(x, name=None):
    found = _tilewise.numbers(handle(x))
    if found is None:
        return argsort(x)
    result = [0] * len(found)
    for i, v in enumerate(found):
        result[v] = i
    return tensor(result)


def split_blocks(x, block):
    n, h, w, c = _shape(x)
    x = _op("tw.reshape", [x], {"shape": [n, h // block, block, w // block, block, c]})
    x = _op("tw.transpose", [x], {"permutation": [0, 1, 3, 2, 4, 5]})
    return reshaped(x, [n, h // block, w // block, block * block * c])


def space_to_depth(input, block_size, data_format="NHWC", name=None):
    if data_format == "NCHW":
        x = _op("tw.transpose", [handle(input)], {"permutation": [0, 2, 3, 1]})
        y = split_blocks(x, block_size)
        return wrap(_op("tw.transpose", [y._h], {"permutation": [0, 3, 1, 2]}))
    return split_blocks(handle(input), block_size)


def depth_to_space(input, block_size, data_format="NHWC", name=None):
    x, b = handle(input), block_size
    if data_format == "NCHW":
        x = _op("tw.transpose", [x], {"permutation": [0, 2, 3, 1]})
    n, h, w, c = _shape(x)
    x = _op("tw.reshape", [x], {"shape": [n, h, w, b, b, c // (b * b)]})
    x = _op("tw.transpose", [x], {"permutation": [0, 1, 3, 2, 4, 5]})
    x = _op("tw.reshape", [x], {"shape": [n, h * b, w * b, c // (b * b)]})
    if data_format == "NCHW":
        x = _op("tw.transpose", [x], {"permutation": [0, 3, 1, 2]})
    return wrap(x)
