"""Elementwise functions and reductions."""

import math as _m
import _tilewise
from tensorflow import _dtypes
from tensorflow._dtypes import BY_CODE, FLOATS
from tensorflow._tensor import (Tensor, binary, compare, convert, divide, float_unary, handle,
                                number_of, pair, tensor, to_float, unary, wrap)

_op = _tilewise.op
_unk = _tilewise.is_unknown


def _one(kind):
    def function(x, name=None):
        return float_unary(kind, x)
    function.__name__ = kind
    return function


acos, acosh, asin, asinh = _one("acos"), _one("acosh"), _one("asin"), _one("asinh")
atan, atanh, cos, cosh = _one("atan"), _one("atanh"), _one("cosine"), _one("cosh")
sin, sinh, tan, tanh = _one("sine"), _one("sinh"), _one("tan"), _one("tanh")
erf, erfc, erfinv, ndtri = _one("erf"), _one("erfc"), _one("erfinv"), _one("ndtri")
exp, expm1, log, log1p = _one("exp"), _one("expm1"), _one("log"), _one("log1p")
log_sigmoid, softplus = _one("log_sigmoid"), _one("softplus")
sigmoid, sqrt, rsqrt = _one("logistic"), _one("sqrt"), _one("rsqrt")
reciprocal, angle = _one("reciprocal"), _one("angle")


def _any(kind):
    def function(x, name=None):
        return unary(kind, x)
    function.__name__ = kind
    return function


sign, negative, square = _any("sign"), _any("negate"), _any("square")
invert, population_count = _any("not"), _any("popcnt")
is_finite, is_inf, is_nan = _any("is_finite"), _any("is_inf"), _any("is_nan")
conj = _any("conj")


def abs(x, name=None):
    h = handle(x)
    if not _unk(h) and _tilewise.dtype(h)[0] == "c":
        return wrap(_op("tw.unary", [h], {"kind": "complex_abs"}))
    return wrap(_op("tw.unary", [h], {"kind": "abs"}))


def _rounded(kind):
    def function(x, name=None):
        h = handle(x)
        return tensor(x) if _unk(h) or _tilewise.dtype(h) not in FLOATS else unary(kind, x)
    function.__name__ = kind
    return function


ceil, floor = _rounded("ceil"), _rounded("floor")
round = rint = _rounded("round")


def softsign(features, name=None):
    return float_unary("softsign", features)


def real(input, name=None):
    x = tensor(input)
    return unary("real", x) if x.dtype.is_complex else x


def imag(input, name=None):
    x = tensor(input)
    return unary("imag", x) if x.dtype.is_complex else x * 0


def complex(real, imag, name=None):
    x, y = pair(real, imag)
    return wrap(_op("tw.complex", [to_float(x), to_float(y)]))


def lgamma(x, name=None):
    # Stirling's series, three terms.
    x = tensor(x)
    return (x - 0.5) * log(x) - x + 0.9189385332 + 1.0 / (12.0 * x)


def digamma(x, name=None):
    x = tensor(x)
    return log(x) - 0.5 / x - 1.0 / (12.0 * x * x)


def _two(kind):
    def function(x, y, name=None):
        return binary(kind, x, y)
    function.__name__ = kind
    return function


add, subtract, multiply = _two("add"), _two("subtract"), _two("multiply")
maximum, minimum, floordiv = _two("maximum"), _two("minimum"), _two("floor_divide")
mod, floormod, pow, atan2 = _two("floor_modulo"), _two("floor_modulo"), _two("power"), _two("atan2")
logical_and, logical_or, logical_xor = _two("and"), _two("or"), _two("xor")
bitwise_and, bitwise_or, bitwise_xor = logical_and, logical_or, logical_xor
left_shift, right_shift = _two("shift_left"), _two("shift_right")
truncatemod = _two("remainder")


def truediv(x, y, name=None):
    return divide(x, y)


def logical_not(x, name=None):
    return unary("logical_not", x)


def squared_difference(x, y, name=None):
    return unary("square", binary("subtract", x, y))


def divide_no_nan(x, y, name=None):
    x, y = pair(x, y)
    zero = _tilewise.known(0, _tilewise.dtype(y))
    bad = _op("tw.compare", [y, zero], {"direction": "EQ"})
    ratio = _op("tw.binary", [x, y], {"kind": "divide"})
    return wrap(_op("tw.select", [bad, zero, ratio]))


def multiply_no_nan(x, y, name=None):
    return where_zero(y, binary("multiply", x, y))


def where_zero(x, otherwise):
    """0 where x is, elsewhere the other."""
    h = handle(otherwise)
    zero = _tilewise.known(0, _tilewise.dtype(h))
    return wrap(_op("tw.select", [compare("EQ", x, 0)._h, zero, h]))


def xlogy(x, y, name=None):
    return where_zero(x, binary("multiply", x, log(y)))


def xlog1py(x, y, name=None):
    return where_zero(x, binary("multiply", x, log1p(y)))


def xdivy(x, y, name=None):
    return where_zero(x, divide(x, y))


def _compared(direction):
    def function(x, y, name=None):
        return compare(direction, x, y)
    function.__name__ = direction
    return function


equal, not_equal, less = _compared("EQ"), _compared("NE"), _compared("LT")
less_equal, greater, greater_equal = _compared("LE"), _compared("GT"), _compared("GE")


def approximate_equal(x, y, tolerance=1e-5, name=None):
    return compare("LT", abs(binary("subtract", x, y)), tolerance)


def add_n(inputs, name=None):
    inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    total = tensor(inputs[0])
    for x in inputs[1:]:
        total = binary("add", total, x)
    return total


def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    return add_n(inputs)


def polyval(coeffs, x, name=None):
    total = tensor(coeffs[0])
    for c in coeffs[1:]:
        total = total * x + c
    return total


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    if getattr(t, "_is_gradient", False):
        return t
    h = handle(t)
    low, high = number_of(clip_value_min), number_of(clip_value_max)
    if low is not None and high is not None:
        return wrap(_op("tw.clamp", [h], {"min": low, "max": high}))
    return wrap(_op("tw.clamp", [h, handle(clip_value_min), handle(clip_value_max)]))


def cast(x, dtype, name=None):
    code = _dtypes.code_of(dtype)
    if isinstance(x, Tensor):
        if getattr(x, "_strings", None) is None:
            h = x._read() if x._is_variable else x._h
            if _tilewise.dtype(h) == code:
                return wrap(h) if x._is_variable else x
            return wrap(_op("tw.convert", [h], {"dtype": code}))
    elif hasattr(x, "with_values"):
        return x.with_values(cast(x.values, dtype))
    return wrap(convert(handle(x), code))


def saturate_cast(value, dtype, name=None):
    d = _dtypes.as_dtype(dtype)
    if d.is_floating:
        return cast(value, d)
    return cast(wrap(_op("tw.clamp", [handle(value)], {"min": d.min, "max": d.max})), d)


def to_float32(x, name="ToFloat"):
    return cast(x, "float32")


# ---- reductions


def axes_of(axis, rank):
    """Dims that an argument `axis` names; None: all."""
    if axis is None:
        return list(range(rank))
    if isinstance(axis, int):
        return [axis + rank if axis < 0 else axis]
    if isinstance(axis, Tensor):
        axis = _tilewise.numbers(handle(axis))
        if axis is None:
            return list(range(rank))
        if isinstance(axis, int):
            axis = [axis]
    result = []
    for a in (axis if hasattr(axis, "__iter__") else [axis]):
        a = int(a)
        result.append(a + rank if a < 0 else a)
    return result


def reduced(kind, x, axis, keepdims):
    if hasattr(x, "reduced"):
        return x.reduced(kind, axis, keepdims)
    h = handle(x)
    if _unk(h):
        return h
    if axis is None:
        return wrap(_op("tw.reduce", [h], {"kind": kind, "keep": bool(keepdims)}))
    dims = axes_of(axis, len(_tilewise.shape(h)))
    return wrap(_op("tw.reduce", [h], {"kind": kind, "dims": dims, "keep": bool(keepdims)}))


def _reduction(kind, floats=False):
    def function(input_tensor=None, axis=None, keepdims=False, name=None, keep_dims=None,
                 reduction_indices=None, input=None):
        if input_tensor is None:
            input_tensor = input
        if axis is None:
            axis = reduction_indices
        if floats and not hasattr(input_tensor, "reduced"):
            h = handle(input_tensor)
            input_tensor = wrap(h if _unk(h) else to_float(h))
        return reduced(kind, input_tensor, axis, keepdims or keep_dims)
    function.__name__ = "reduce_" + kind
    return function


reduce_sum, reduce_mean = _reduction("sum"), _reduction("mean")
reduce_max, reduce_min = _reduction("max"), _reduction("min")
reduce_prod = _reduction("product")
reduce_all, reduce_any = _reduction("all"), _reduction("any")
reduce_logsumexp = _reduction("logsumexp", True)
reduce_variance = _reduction("variance", True)
reduce_std = _reduction("std", True)
reduce_euclidean_norm = _reduction("l2", True)


def count_nonzero(input, axis=None, keepdims=None, dtype=_dtypes.int64, name=None, **ignored):
    x = tensor(input)
    return reduced("sum", cast(compare("NE", x, 0), dtype), axis, keepdims)


def zero_fraction(value, name=None):
    return reduced("mean", cast(compare("EQ", value, 0), "float32"), None, False)


def _arg(kind):
    def function(input, axis=None, output_type=_dtypes.int64, name=None, dimension=None):
        if axis is None:
            axis = 0 if dimension is None else dimension
        h = handle(input)
        if not _unk(h) and not _tilewise.shape(h):
            return wrap(_tilewise.known(0, _dtypes.code_of(output_type)))
        found = number_of(axis)
        return wrap(_op("tw.arg_reduce", [h], {"kind": kind, "dim": int(found or 0),
                                               "dtype": _dtypes.code_of(output_type)}))
    function.__name__ = "arg" + kind
    return function


argmax, argmin = _arg("max"), _arg("min")


def _running(kind):
    def function(x, axis=0, exclusive=False, reverse=False, name=None):
        return wrap(_op("tw.cumulative", [handle(x)], {
            "kind": kind, "dim": int(axis), "exclusive": exclusive, "reverse": reverse}))
    return function


cumsum, cumprod = _running("sum"), _running("product")


def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None):
    top = reduced("max", x, axis, True)
    return log(cumsum(exp(tensor(x) - top), axis, exclusive, reverse)) + top


# ---- by segments


def _segments(kind, data, ids, count):
    x, places = handle(data), handle(ids)
    if _unk(x) or _unk(places):
        return _tilewise.unknown("segments of what is not known")
    shape, outer = _tilewise.shape(x), len(_tilewise.shape(places))
    if outer > 1:
        x = _op("tw.reshape", [x], {"shape": [-1] + list(shape[outer:])})
        places = _op("tw.reshape", [places], {"shape": [-1]})
    first = {"max": -3e38, "min": 3e38, "multiply": 1}.get(kind, 0)
    start = _tilewise.full(first, [count] + list(shape[outer:]), _tilewise.dtype(x))
    return wrap(_op("tw.scatter", [start, places, x], {"kind": kind, "axis": 0}))


def _unsorted(kind):
    def function(data, segment_ids, num_segments, name=None):
        n = number_of(num_segments)
        if n is None:
            return _tilewise.unknown("a number of segments that is computed")
        return _segments(kind, data, segment_ids, int(n))
    return function


unsorted_segment_sum, unsorted_segment_max = _unsorted("add"), _unsorted("max")
unsorted_segment_min, unsorted_segment_prod = _unsorted("min"), _unsorted("multiply")


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    total = unsorted_segment_sum(data, segment_ids, num_segments)
    ones = wrap(_tilewise.full(1, list(tensor(segment_ids).shape), "f32"))
    n = maximum(unsorted_segment_sum(ones, segment_ids, num_segments), 1)
    rank = len(total.shape)
    n = wrap(_op("tw.reshape", [n._h], {"shape": [-1] + [1] * (rank - 1)}))
    return divide(total, n)


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    return unsorted_segment_mean(data, segment_ids, num_segments)


def _sorted(function):
    def by_segments(data, segment_ids, name=None):
        numbers = _tilewise.numbers(handle(segment_ids))
        n = tensor(segment_ids).shape[0] if numbers is None else max(numbers) + 1
        if numbers is None:
            _tilewise.note("the number of segments is data; each row is taken as one")
        return function(data, segment_ids, n)
    return by_segments


segment_sum, segment_max = _sorted(unsorted_segment_sum), _sorted(unsorted_segment_max)
segment_min, segment_prod = _sorted(unsorted_segment_min), _sorted(unsorted_segment_prod)
segment_mean = _sorted(unsorted_segment_mean)


def bincount(arr, weights=None, minlength=None, maxlength=None, dtype=_dtypes.int32, name=None,
             axis=None, binary_output=False):
    n = number_of(maxlength if maxlength is not None else minlength)
    if n is None:
        return _tilewise.unknown("a number of bins that is data")
    ids = wrap(_op("tw.reshape", [handle(arr)], {"shape": [-1]}))
    data = weights if weights is not None else wrap(
        _tilewise.full(1, list(ids.shape), _dtypes.code_of(dtype)))
    return unsorted_segment_sum(data, ids, int(n))


def confusion_matrix(labels, predictions, num_classes=None, weights=None, dtype=_dtypes.int32,
                     name=None):
    n = number_of(num_classes)
    if n is None:
        return _tilewise.unknown("a number of classes that is data")
    places = cast(labels, "int32") * int(n) + cast(predictions, "int32")
    flat = bincount(places, weights, None, int(n) * int(n), dtype)
    return wrap(_op("tw.reshape", [flat._h], {"shape": [int(n), int(n)]}))


def top_k(input, k=1, sorted=True, index_type=_dtypes.int32, name=None):
    n = number_of(k)
    if n is None:
        return _tilewise.unknown("a number of largest elements that is computed")
    values, places = _op("tw.top_k", [handle(input)], {"k": int(n)}, 2)
    return TopK((wrap(values), wrap(places)))


class TopK(tuple):
    values = property(lambda self: self[0])
    indices = property(lambda self: self[1])


def in_top_k(targets, predictions, k, name=None):
    return _tilewise.unknown("whether targets are in the top k") if _unk(targets) else \
        wrap(_op("tw.reduce", [compare("EQ", top_k(predictions, k)[1],
                                       expand_last(cast(targets, "int32")))._h],
                 {"kind": "any", "dims": [-1]}))


def expand_last(x):
    h = handle(x)
    return wrap(_op("tw.reshape", [h], {"shape": list(_tilewise.shape(h)) + [1]}))


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    axis = dim if axis is None else axis
    total = reduced("sum", unary("square", x), axis, True)
    scale = unary("rsqrt", wrap(_op("tw.clamp", [total._h], {"min": epsilon})))
    return binary("multiply", x, scale)


def dtype_of(x):
    return BY_CODE[_tilewise.dtype(handle(x))]


def is_strictly_increasing(x, name=None):
    return _tilewise.unknown("whether numbers increase")


is_non_decreasing = is_strictly_increasing
pi = _m.pi
