"""Operations of Keras on elements, as numpy names them."""

import _tilewise as _t
from keras import _leaf as _l
from keras._leaf import (FLOATS, code, code_of, compare, dims, floating, h_of, op, pair, put,
                         unary, wrap)

_UNARY = {
    "abs": "abs", "absolute": "abs", "ceil": "ceil", "floor": "floor", "negative": "negate",
    "sign": "sign", "round": "round-nearest-even", "conj": "conj", "conjugate": "conj",
    "real": "real", "imag": "imag", "angle": "angle", "square": "square",
    "bitwise_not": "not", "bitwise_invert": "not", "invert": "not"}
_FLOAT = {
    "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh",
    "arctan": "atan", "arctanh": "atanh", "cos": "cos", "cosh": "cosh", "exp": "exp",
    "expm1": "expm1", "log": "log", "log1p": "log1p", "sin": "sin", "sinh": "sinh",
    "sqrt": "sqrt", "tan": "tan", "tanh": "tanh", "reciprocal": "reciprocal", "rsqrt": "rsqrt",
    "erf": "erf", "erfinv": "erfinv", "sigmoid": "logistic"}
_TRUTH = {"isfinite": "is_finite", "isinf": "is_inf", "isnan": "is_nan"}
_BINARY = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "maximum": "maximum",
    "minimum": "minimum", "mod": "floor_modulo", "floor_divide": "floor_divide",
    "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor",
    "left_shift": "shift_left", "right_shift": "shift_right",
    "bitwise_left_shift": "shift_left", "bitwise_right_shift": "shift_right"}
_COMPARE = {"equal": "EQ", "not_equal": "NE", "greater": "GT", "greater_equal": "GE", "less": "LT",
            "less_equal": "LE"}
_LOGIC = {"logical_and": "and", "logical_or": "or", "logical_xor": "xor"}


def _of_unary(kind):
    return lambda x, *args, **kw: wrap(unary(kind, h_of(x)))


def _of_float(kind):
    return lambda x, *args, **kw: wrap(unary(kind, floating(h_of(x))))


def _of_binary(kind):
    def function(x1, x2):
        a, b = pair(x1, x2)
        return wrap(op("tw.binary", [a, b], {"kind": kind}))
    return function


def _of_compare(direction):
    def function(x1, x2):
        a, b = pair(x1, x2)
        return wrap(op("tw.compare", [a, b], {"direction": direction}))
    return function


def _of_logic(kind):
    def function(x1, x2):
        return wrap(op("tw.binary", [put(h_of(x1), "pred"), put(h_of(x2), "pred")],
                       {"kind": kind}))
    return function


def _fill():
    names = globals()
    for table, make in ((_UNARY, _of_unary), (_FLOAT, _of_float), (_TRUTH, _of_unary),
                        (_BINARY, _of_binary), (_COMPARE, _of_compare), (_LOGIC, _of_logic)):
        for name in table:
            names[name] = make(table[name])
            names[name].__name__ = name


_fill()


def logical_not(x):
    return wrap(unary("logical_not", put(h_of(x), "pred")))


def divide(x1, x2):
    a, b = pair(x1, x2)
    return wrap(op("tw.binary", [floating(a), floating(b)], {"kind": "divide"}))


true_divide = divide


def divide_no_nan(x1, x2):
    a, b = pair(x1, x2)
    a, b = floating(a), floating(b)
    y = op("tw.binary", [a, b], {"kind": "divide"})
    return wrap(_l.select(compare("EQ", b, 0), 0.0, y))


def power(x1, x2):
    a, b = pair(x1, x2)
    return wrap(op("tw.binary", [a, b], {"kind": "power"}))


def float_power(x1, x2):
    a, b = pair(x1, x2)
    return wrap(op("tw.binary", [floating(a), floating(b)], {"kind": "power"}))


def arctan2(x1, x2):
    a, b = pair(x1, x2)
    return wrap(op("tw.binary", [floating(a), floating(b)], {"kind": "atan2"}))


def hypot(x1, x2):
    a, b = pair(x1, x2)
    return wrap(unary("sqrt", _l.add(unary("square", a), unary("square", b))))


def _log_of(base):
    def function(x):
        return wrap(_l.mul(unary("log", floating(h_of(x))), base))
    return function


log10, log2 = _log_of(0.4342944819032518), _log_of(1.4426950408889634)


def exp2(x):
    return wrap(unary("exp", _l.mul(floating(h_of(x)), 0.6931471805599453)))


def logaddexp(x1, x2):
    a, b = pair(x1, x2)
    top = _l.binary("maximum", a, b)
    gap = unary("negate", unary("abs", _l.sub(a, b)))
    return wrap(_l.add(top, unary("log1p", unary("exp", gap))))


logaddexp2 = logaddexp


def clip(x, x_min, x_max):
    h = h_of(x)
    attrs = {}
    for name, bound, kind in (("min", x_min, "maximum"), ("max", x_max, "minimum")):
        if isinstance(bound, (int, float)):
            attrs[name] = float(bound)
        elif bound is not None:
            h = _l.binary(kind, h, put(h_of(bound), code(h)))
    return wrap(op("tw.clamp", [h], attrs) if attrs else h)


def _scaled(by):
    return lambda x: wrap(_l.mul(floating(h_of(x)), by))


deg2rad, rad2deg = _scaled(0.017453292519943295), _scaled(57.29577951308232)


def isclose(x1, x2, rtol=1e-5, atol=1e-8, equal_nan=False):
    a, b = pair(x1, x2)
    near = _l.binary("add", _l.mul(unary("abs", b), rtol), atol)
    return wrap(compare("LE", unary("abs", _l.sub(a, b)), near))


def isposinf(x):
    return wrap(compare("EQ", h_of(x), float("inf")))


def isneginf(x):
    return wrap(compare("EQ", h_of(x), float("-inf")))


def isreal(x):
    h = h_of(x)
    return wrap(compare("EQ", h, h))


def signbit(x):
    return wrap(compare("LT", h_of(x), 0))


def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    h = h_of(x)
    if code(h) not in FLOATS:
        return wrap(h)
    h = _l.select(unary("is_nan", h), float(nan), h)
    return wrap(op("tw.clamp", [h], {"min": -3.4e38 if neginf is None else float(neginf),
                                     "max": 3.4e38 if posinf is None else float(posinf)}))


def where(condition, x1=None, x2=None):
    c = put(h_of(condition), "pred")
    if x1 is None:
        return nonzero(condition)
    a, b = pair(x1, x2)
    return wrap(op("tw.select", [c, a, b]))


def nonzero(x):
    _t.note("how many elements are not zero is not known; all are taken")
    h = h_of(x)
    n = _l.product(dims(h))
    return tuple([wrap(_l.iota(n)) for _ in dims(h)])


def select(condlist, choicelist, default=0):
    y = h_of(default, "f32")
    for c, x in zip(list(condlist)[::-1], list(choicelist)[::-1]):
        h = h_of(x)
        y = op("tw.select", [put(h_of(c), "pred"), h, put(y, code(h))])
    return wrap(y)


def heaviside(x1, x2):
    a, b = pair(x1, x2)
    step = put(compare("GT", a, 0), code(a))
    return wrap(op("tw.select", [compare("EQ", a, 0), put(b, code(a)), step]))


def sinc(x):
    h = _l.mul(floating(h_of(x)), 3.141592653589793)
    return wrap(_l.select(compare("EQ", h, 0), 1.0, _l.div(unary("sin", h), h)))


def trunc(x):
    h = h_of(x)
    return wrap(_l.mul(unary("sign", h), unary("floor", unary("abs", h))))


fix = trunc


def fmod(x1, x2):
    a, b = pair(x1, x2)
    return wrap(op("tw.binary", [a, b], {"kind": "remainder"}))


def cast(x, dtype):
    return wrap(put(h_of(x), code_of(dtype)))


saturate_cast = cast


def gcd(x1, x2):
    a, b = pair(x1, x2)
    return wrap(op("tw.binary", [a, b], {"kind": "minimum"}))


lcm = _of_binary("multiply")


def ldexp(x1, x2):
    return wrap(_l.mul(h_of(x1), unary("exp", _l.mul(floating(h_of(x2)), 0.6931471805599453))))
