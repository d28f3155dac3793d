"""Products of matrices."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._array import ints, reshaped, stack
from tensorflow._dtypes import code_of
from tensorflow._math import abs, axes_of, cast, reduced
from tensorflow._tensor import (Tensor, binary, convert, handle, number_of, pair, tensor, to_float,
                                unary, wrap)

_op = _tilewise.op
_unk = _tilewise.is_unknown
_shape = _tilewise.shape


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False,
           a_is_sparse=False, b_is_sparse=False, output_type=None, grad_a=False, grad_b=False,
           name=None):
    if hasattr(a, "dense"):
        a = a.dense()
    x, y = pair(a, b)
    attrs = {}
    if transpose_a or adjoint_a:
        attrs["transpose_x"] = True
    if transpose_b or adjoint_b:
        attrs["transpose_y"] = True
    if output_type is not None:
        attrs["dtype"] = code_of(output_type)
    return wrap(_op("tw.matmul", [x, y], attrs))


def batch_matmul(x, y, adj_x=False, adj_y=False, name=None):
    return matmul(x, y, adj_x, adj_y)


def matvec(a, b, transpose_a=False, adjoint_a=False, name=None, **ignored):
    y = handle(b)
    column = reshaped(y, list(_shape(y)) + [1])
    r = matmul(a, column, transpose_a or adjoint_a)
    return r if _unk(r) else reshaped(r._h, list(_shape(r._h))[:-1])


def einsum(equation, *inputs, **kwargs):
    if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)):
        inputs = inputs[0]
    handles = [handle(x) for x in inputs]
    for h in handles:
        if _unk(h):
            return h
    return wrap(_op("tw.einsum", handles, {"equation": equation.replace(" ", "")}))


def tensordot(a, b, axes, name=None):
    x, y = pair(a, b)
    if _unk(x) or _unk(y):
        return x if _unk(x) else y
    if isinstance(axes, Tensor):
        axes = _tilewise.numbers(axes._h)
    if isinstance(axes, int):
        n = len(_shape(x))
        left, right = list(range(n - axes, n)), list(range(axes))
    else:
        left, right = axes_of(axes[0], len(_shape(x))), axes_of(axes[1], len(_shape(y)))
    return wrap(_op("tw.dot_general", [x, y], {
        "lhs_contract": left, "rhs_contract": right, "lhs_batch": [], "rhs_batch": []}))


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None):
    x = to_float(handle(tensor))
    keep = bool(keepdims or keep_dims)
    if ord in ("euclidean", "fro", 2):
        return reduced("l2", wrap(x), axis, keep)
    if ord == 1:
        return reduced("l1", wrap(x), axis, keep)
    if ord == float("inf"):
        return reduced("max", abs(wrap(x)), axis, keep)
    power = binary("power", abs(wrap(x)), float(ord))
    return binary("power", reduced("sum", power, axis, keep), 1.0 / ord)


def global_norm(t_list, name=None):
    t_list = [t for t in t_list if t is not None]
    if t_list and all([getattr(t, "_is_gradient", False) for t in t_list]):
        return wrap(_tilewise.input([], "f32", "global norm", None))
    total = None
    for t in t_list:
        part = reduced("sum", unary("square", t), None, False)
        total = part if total is None else total + part
    return unary("sqrt", total)


def clip_by_norm(t, clip_norm, axes=None, name=None):
    if getattr(t, "_is_gradient", False):
        return t
    size = reduced("l2", t, axes, True)
    return binary("divide", binary("multiply", t, clip_norm), binary("maximum", size, clip_norm))


clip_by_average_norm = clip_by_norm


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    size = global_norm(t_list) if use_norm is None else use_norm
    result = []
    for t in t_list:
        if t is None or getattr(t, "_is_gradient", False):
            result.append(t)
        else:
            result.append(t * (clip_norm / binary("maximum", size, clip_norm)))
    return result, size


def diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0, **ignored):
    """A matrix for each row of the last dim."""
    h = handle(diagonal)
    n = _shape(h)[-1]
    eye = _op("tw.eye", [], {"rows": n, "dtype": _tilewise.dtype(h)})
    wide = _op("tw.reshape", [h], {"shape": list(_shape(h)) + [1]})
    return wrap(_op("tw.binary", [wide, eye], {"kind": "multiply"}))


def diag_part(input, name="diag_part", k=0, padding_value=0, **ignored):
    h = handle(input)
    sizes = list(_shape(h))
    n = min(sizes[-1], sizes[-2])
    places = [[i, i] for i in range(n)]
    if len(sizes) == 2:
        return wrap(_op("tw.gather_nd", [h, _tilewise.known(places, "s32")], {}))
    eye = _op("tw.eye", [], {"rows": sizes[-2], "columns": sizes[-1], "dtype": _tilewise.dtype(h)})
    kept = _op("tw.binary", [h, eye], {"kind": "multiply"})
    return wrap(_op("tw.reduce", [kept], {"kind": "sum", "dims": [-1]}))


def set_diag(input, diagonal, name="set_diag", **ignored):
    h = handle(input)
    sizes = list(_shape(h))
    eye = _op("tw.eye", [], {"rows": sizes[-2], "columns": sizes[-1], "dtype": "pred"})
    d = handle(diagonal)
    wide = _op("tw.reshape", [d], {"shape": list(_shape(d)) + [1]})
    shape = {"shape": sizes, "dims": list(range(len(sizes)))}
    return wrap(_op("tw.select", [_op("tw.broadcast_in_dim", [eye], {
        "shape": sizes, "dims": [len(sizes) - 2, len(sizes) - 1]}),
        _op("tw.broadcast_in_dim", [wide], shape), h]))


def band_part(input, num_lower, num_upper, name=None):
    h = handle(input)
    lower, upper = number_of(num_lower), number_of(num_upper)
    if lower is None or upper is None:
        return _tilewise.unknown("a band whose width is data")
    if upper >= 0:
        h = _op("tw.triangle", [h], {"lower": True, "k": int(upper)})
    if lower >= 0:
        h = _op("tw.triangle", [h], {"lower": False, "k": -int(lower)})
    return wrap(h)


def trace(x, name=None):
    return reduced("sum", diag_part(x), [-1], False)


def adjoint(matrix, name=None):
    n = len(_shape(handle(matrix)))
    order = list(range(n - 2)) + [n - 1, n - 2]
    return wrap(_op("tw.transpose", [handle(matrix)], {"permutation": order}))


matrix_transpose = adjoint


def cross(a, b, name=None):
    from tensorflow._array import roll
    left = binary("multiply", roll(a, [-1], [-1]), roll(b, [-2], [-1]))
    return left - binary("multiply", roll(a, [-2], [-1]), roll(b, [-1], [-1]))


def _unsolved(what, shapes):
    """A decomposition: results of the right shapes, whose work is not counted."""
    def function(x, *args, **kwargs):
        h = handle(x)
        if _unk(h):
            return h
        _tilewise.note("the work of tf.linalg." + what + " is not counted")
        sizes, code = list(_shape(h)), _tilewise.dtype(h)
        results = []
        total = _op("tw.reduce", [h], {"kind": "sum", "dims": [-1, -2]})
        if _tilewise.numbers(total) is not None:
            total = _tilewise.input(sizes[:-2], code, what, None)
        for shape in shapes(sizes, args):
            y = total
            extra = len(shape) - len(sizes) + 2
            y = _op("tw.reshape", [y], {"shape": sizes[:-2] + [1] * extra})
            y = _op("tw.broadcast_in_dim", [y], {"shape": shape, "dims": list(range(len(shape)))})
            results.append(wrap(convert(y, code)))
        return results[0] if len(results) == 1 else tuple(results)
    function.__name__ = what
    return function


inv = _unsolved("inv", lambda s, a: [s])
pinv = _unsolved("pinv", lambda s, a: [s[:-2] + [s[-1], s[-2]]])
cholesky = _unsolved("cholesky", lambda s, a: [s])
det = _unsolved("det", lambda s, a: [s[:-2]])
logdet = _unsolved("logdet", lambda s, a: [s[:-2]])
slogdet = _unsolved("slogdet", lambda s, a: [s[:-2], s[:-2]])
solve = _unsolved("solve", lambda s, a: [list(_shape(handle(a[0])))])
triangular_solve = _unsolved("triangular_solve", lambda s, a: [list(_shape(handle(a[0])))])
cholesky_solve = _unsolved("cholesky_solve", lambda s, a: [list(_shape(handle(a[0])))])
lstsq = _unsolved("lstsq", lambda s, a: [s[:-2] + [s[-1], list(_shape(handle(a[0])))[-1]]])
eigh = _unsolved("eigh", lambda s, a: [s[:-1], s])
eig = _unsolved("eig", lambda s, a: [s[:-1], s])
eigvalsh = _unsolved("eigvalsh", lambda s, a: [s[:-1]])
eigvals = eigvalsh
expm = _unsolved("expm", lambda s, a: [s])
sqrtm = _unsolved("sqrtm", lambda s, a: [s])
qr = _unsolved("qr", lambda s, a: [s[:-1] + [min(s[-2:])], s[:-2] + [min(s[-2:]), s[-1]]])
svd = _unsolved("svd", lambda s, a: [s[:-2] + [min(s[-2:])], s[:-1] + [min(s[-2:])],
                                     s[:-2] + [s[-1], min(s[-2:])]])


def normalize(tensor, ord="euclidean", axis=None, name=None):
    size = norm(tensor, ord, axis, True)
    return binary("divide", tensor, size), size
