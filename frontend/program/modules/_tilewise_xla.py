"""XLA's builder, in terms of jax.lax: an op computes at once, and computations can run again."""

import _tilewise
from jax import lax as _lax
from jax import numpy as _numpy
from jax import _core

# A builder keeps the types that it is given, of 64 bits too.
_core.X64[0] = True


class XlaOp:
    """What a builder's function gives: its value, and how it was made of others."""

    def __init__(self, builder=None, name="", value=None, function=None, operands=()):
        self.builder_, self.name, self.value = builder, name, value
        self.function, self.operands = function, operands

    def builder(self):
        return self.builder_

    def valid(self):
        return self.builder_ is not None

    def become(self, made):
        """A handle that a function sets through its address."""
        self.__init__(made.builder_, made.name, made.value, made.function, made.operands)

    def __add__(self, other):
        return _binary("Add", self, other)

    def __sub__(self, other):
        return _binary("Sub", self, other)

    def __mul__(self, other):
        return _binary("Mul", self, other)

    def __truediv__(self, other):
        return _binary("Div", self, other)

    def __mod__(self, other):
        return _binary("Rem", self, other)

    def __and__(self, other):
        return _binary("And", self, other)

    def __or__(self, other):
        return _binary("Or", self, other)

    def __xor__(self, other):
        return _binary("Xor", self, other)

    def __lshift__(self, other):
        return _binary("ShiftLeft", self, other)

    def __rshift__(self, other):
        signed = str(self.value.dtype).startswith("int")
        return _binary("ShiftRightArithmetic" if signed else "ShiftRightLogical", self, other)

    def __neg__(self):
        return _op("Neg", _lax.neg, self)

    def __invert__(self):
        return _op("Not", _lax.bitwise_not, self)


def value_of(x):
    if isinstance(x, XlaOp):
        return x.value
    return [value_of(v) for v in x] if isinstance(x, list) else x


def _builder_of(operands):
    for x in operands:
        if isinstance(x, XlaOp):
            return x.builder_
        if isinstance(x, list) and x:
            found = _builder_of(x)
            if found is not None:
                return found
    return None


def _op(name, function, *operands):
    made = XlaOp(_builder_of(operands), name, function(*[value_of(x) for x in operands]), function,
                 operands)
    if made.builder_ is not None:
        made.builder_.last = made
    return made


class XlaComputation:
    def __init__(self, root=None, parameters=()):
        # A computation made of a message is the one that the message was made of.
        if isinstance(root, XlaComputation):
            root, parameters = root.root, root.parameters
        self.root, self.parameters = root, parameters

    def proto(self):
        return self

    def __call__(self, *values):
        known = {}
        for parameter, value in zip(self.parameters, values):
            known[id(parameter)] = value
        return _again(self.root, known)

    def kind(self):
        """The op of a reducing computation of two numbers."""
        taken = [getattr(x, "name", "") for x in self.root.operands[:2]]
        return self.root.name if taken == ["Parameter", "Parameter"] else ""


def _again(x, known):
    if isinstance(x, list):
        return [_again(v, known) for v in x]
    if not isinstance(x, XlaOp):
        return x
    if id(x) not in known:
        known[id(x)] = x.value if x.function is None else x.function(
            *[_again(v, known) for v in x.operands])
    return known[id(x)]


_results, _constants = [], []


def results():
    """How many computations of parameters have been built."""
    return len(_results)


def constants():
    """How many that have no parameters."""
    return len(_constants)


def trace(model):
    """A computation that was asked for, or what builds one."""
    if isinstance(model, XlaComputation):
        XlaBuilder().Build(model.root)
        return True
    before = results() + constants()
    if isinstance(model, type) and hasattr(model, "TestBody"):
        model().TestBody()
    elif callable(model):
        model()
    return results() + constants() > before


class XlaBuilder:
    def __init__(self, name=""):
        self.name_, self.parameters, self.last = name, {}, None

    def name(self):
        return self.name_

    def Build(self, root=None, remove_dynamic_dimensions=False):
        root = root if isinstance(root, XlaOp) else self.last
        if root is None:
            return _tilewise.unknown("a computation without ops")
        order = [self.parameters[i] for i in sorted(self.parameters)]
        handles, known = [], True
        for value in root.value if isinstance(root.value, (list, tuple)) else [root.value]:
            if hasattr(value, "_h"):
                handles.append(value._h)
            else:
                known = False
                _tilewise.note("a result of the computation " + self.name_ + " is not known")
        # The last computation is the one that runs; others are parts of it.
        if handles:
            _tilewise.record("result", value=handles)
        if known:
            (_results if order else _constants).append(root)
        return XlaComputation(root, order)

    def GetShape(self, x):
        return Shape(x.value)

    def GetShapePtr(self, x):
        return Shape(x.value)

    def CreateSubBuilder(self, name=""):
        return XlaBuilder(name)

    def BuildConstantSubGraph(self, root, *more):
        return _tilewise.unknown("a part of a computation that is evaluated when it is built")

    def SetOpMetadata(self, *values):
        pass

    ClearOpMetadata = SetSharding = ClearSharding = SetFrontendAttributes = SetOpMetadata
    SetUpAlias = AddBufferDonor = set_die_immediately_on_error = SetOpMetadata

    def ReportErrorOrReturn(self, made):
        return made() if callable(made) else made


class Shape:
    def __init__(self, value):
        self.value = value

    def dimensions(self, i=None):
        return list(self.value.shape) if i is None else self.value.shape[i]

    def dimensions_size(self):
        return len(self.value.shape)

    rank = dimensions_size

    def element_type(self):
        return self.value.dtype

    def IsTuple(self):
        return isinstance(self.value, (list, tuple))

    def IsArray(self):
        return not self.IsTuple()

    def is_dynamic_dimension(self, i):
        return False

    is_unbounded_dynamic_dimension = is_dynamic_dimension

    def is_static(self):
        return True

    def tuple_shapes_size(self):
        return len(self.value)

    def tuple_shapes(self, i=None):
        parts = [Shape(value) for value in self.value]
        return parts if i is None else parts[i]


class MadeShape(Shape):
    def __init__(self, kind=None, sizes=None, parts=None):
        self.kind, self.sizes, self.parts = kind, sizes or [], parts

    def IsTuple(self):
        return self.parts is not None

    def tuple_shapes_size(self):
        return len(self.parts)

    def tuple_shapes(self, i=None):
        return self.parts if i is None else self.parts[i]

    def set_element_type(self, kind):
        self.kind = kind

    def set_dimensions(self, i, size):
        self.sizes[i] = size

    def add_dimensions(self, size):
        self.sizes.append(size)

    def set_dynamic_dimension(self, i, dynamic):
        """A bound is as large as the data gets."""

    def dimensions(self, i=None):
        return self.sizes if i is None else self.sizes[i]

    def dimensions_size(self):
        return len(self.sizes)

    rank = dimensions_size

    def element_type(self):
        return self.kind


def MakeShape(kind, sizes, *more):
    return MadeShape(kind, list(sizes or []))


def MakeScalarShape(kind):
    return MadeShape(kind, [])


def MakeTupleShape(parts):
    return MadeShape(None, [], list(parts))


def MakeShapeWithType(sizes, *more, kind=None):
    return MadeShape(kind_of(kind), list(sizes or []))


def ChangeElementType(shape, kind):
    return MadeShape(kind, list(shape.dimensions()))


def ElementsIn(shape):
    count = 1
    for size in shape.dimensions():
        count *= size
    return count


def _input(shape, name):
    if not isinstance(shape, MadeShape) or _tilewise.is_unknown(shape.sizes):
        return _tilewise.unknown("the shape of the parameter " + str(name))
    if shape.parts is not None:
        return tuple([_input(p, name + "." + str(i)) for i, p in enumerate(shape.parts)])
    code = _core.dtype(shape.kind).short
    return _core.new(_tilewise.input(list(shape.sizes), code, name or "input"))


def Parameter(builder, number, shape, name="", *more):
    value = _input(shape, name)
    made = XlaOp(builder, "Parameter", value)
    builder.parameters[number] = made
    builder.last = made
    return made


# ---- elementwise

_INFINITY = float("inf")
_UNARY = {"Neg": _lax.neg, "Exp": _lax.exp, "Log": _lax.log, "Log1p": _lax.log1p,
          "Expm1": _lax.expm1, "Tanh": _lax.tanh, "Logistic": _lax.logistic, "Sqrt": _lax.sqrt,
          "Rsqrt": _lax.rsqrt, "Abs": _lax.abs, "Sign": _lax.sign, "Floor": _lax.floor,
          "Ceil": _lax.ceil, "Cos": _lax.cos, "Sin": _lax.sin, "Not": _lax.bitwise_not,
          "IsFinite": _lax.is_finite, "Erf": _lax.erf, "Square": _lax.square,
          "Round": _lax.round, "RoundNearestEven": _lax.round, "Cbrt": _lax.cbrt,
          "Tan": _lax.tan, "ErfInv": _lax.erf_inv, "ZerosLike": _numpy.zeros_like,
          "Lgamma": _lax.lgamma, "Digamma": _lax.digamma, "Acos": _numpy.arccos,
          "Asin": _numpy.arcsin, "Atan": _numpy.arctan, "Cosh": _numpy.cosh,
          "Sinh": _numpy.sinh, "Acosh": _numpy.arccosh, "Asinh": _numpy.arcsinh,
          "Atanh": _numpy.arctanh, "Real": _lax.real, "Imag": _lax.imag, "Conj": _lax.conj,
          "Clz": _lax.clz, "PopulationCount": _lax.population_count,
          "RoundToEven": _lax.round, "IsNan": lambda x: _lax.ne(x, x),
          "IsInf": lambda x: _lax.eq(_lax.abs(x), _INFINITY),
          "IsPosInf": lambda x: _lax.eq(x, _INFINITY),
          "IsNegInf": lambda x: _lax.eq(x, -_INFINITY),
          "Reciprocal": lambda x: 1 / x, "Erfc": lambda x: 1 - _lax.erf(x),
          "Relu": lambda x: _lax.max(x, _numpy.zeros_like(x)), "Copy": lambda x: x,
          "OptimizationBarrier": lambda x: x, "RemoveDynamicDimension": lambda x: x,
          "SetDimensionSize": lambda x: x, "ReducePrecision": lambda x: x}
_BINARY = {"Add": _lax.add, "Sub": _lax.sub, "Mul": _lax.mul, "Div": _lax.div, "Rem": _lax.rem,
           "Max": _lax.max, "Min": _lax.min, "Pow": _lax.pow, "And": _lax.bitwise_and,
           "Or": _lax.bitwise_or, "Xor": _lax.bitwise_xor, "Eq": _lax.eq, "Ne": _lax.ne,
           "Lt": _lax.lt, "Le": _lax.le, "Gt": _lax.gt, "Ge": _lax.ge, "Atan2": _lax.atan2,
           "Complex": _lax.complex, "DivSafe": _lax.div,
           "ShiftLeft": _lax.shift_left, "ShiftRightLogical": _lax.shift_right_logical,
           "ShiftRightArithmetic": _lax.shift_right_arithmetic}


def _binary(name, a, b, dims=None):
    function = _BINARY[name]

    def run(x, y, dims=None):
        if dims and hasattr(y, "shape") and hasattr(x, "shape"):
            if len(y.shape) < len(x.shape):
                y = _lax.broadcast_in_dim(y, x.shape, dims)
            elif len(x.shape) < len(y.shape):
                x = _lax.broadcast_in_dim(x, y.shape, dims)
        return function(x, y)
    return _op(name, run, a, b, dims)


def unary(name):
    return lambda x, *more: _op(name, _UNARY[name], x)


def binary(name):
    return lambda a, b, dims=None: _binary(name, a, b, dims)


def Select(p, a, b):
    return _op("Select", _lax.select, p, a, b)


def Clamp(low, x, high):
    return _op("Clamp", _lax.clamp, low, x, high)


def ConvertElementType(x, kind):
    return _op("ConvertElementType", _lax.convert_element_type, x, kind)


def BitcastConvertType(x, kind):
    return _op("BitcastConvertType", _lax.bitcast_convert_type, x, kind)


# ---- constants

_TYPES = {"float": "float32", "int": "int32", "bool": "bool"}


def kind_of(kind, otherwise="float32"):
    """An element type, of its name in XLA or of a template's argument."""
    if isinstance(kind, str):
        return _core.dtype(_KINDS.get(kind, otherwise))
    if isinstance(kind, type):
        return _core.dtype(_TYPES.get(kind.__name__, otherwise))
    return _core.dtype(otherwise) if kind is None else kind


def number_of(values, kind=None):
    """What C++ writes as numbers, of the type that it names."""
    values = number(values)
    if kind is None or _tilewise.is_unknown(values):
        return _numpy.array(values)
    return _numpy.array(values, kind_of(kind))


def number(values):
    return [number(v) for v in values] if isinstance(values, (list, tuple)) else values


def _constant(builder, value):
    made = XlaOp(builder, "Constant", value)
    if builder is not None:
        builder.last = made
    return made


def ConstantR0(builder, value, kind=None):
    return _constant(builder, number_of(value, kind))


def ConstantR1(builder, *values, kind=None):
    made = values[0] if len(values) == 1 else [values[1]] * values[0]
    return _constant(builder, number_of(made, kind))


def ConstantR2(builder, values, kind=None):
    return _constant(builder, number_of(values, kind))


def ConstantR0WithType(builder, kind, value):
    return _constant(builder, _lax.full((), value, kind))


def Zeros(builder, shape):
    return _constant(builder, _lax.full(tuple(shape.dimensions()), 0, shape.element_type()))


def GetDimensionSize(x, dim, *more):
    return _op("GetDimensionSize", lambda v: _lax.full((), v.shape[dim], "int32"), x)


def Zero(builder, kind):
    return _constant(builder, _lax.full((), 0, kind))


def One(builder, kind):
    return _constant(builder, _lax.full((), 1, kind))


def MinValue(builder, kind):
    return _constant(builder, _lax.full((), -3e38, kind))


def MaxValue(builder, kind):
    return _constant(builder, _lax.full((), 3e38, kind))


def NanValue(builder, kind):
    return _constant(builder, _lax.full((), 0, kind))


def ScalarLike(x, value, kind=None):
    return _op("ScalarLike", lambda v: _lax.full((), value, v.dtype), x)


def FullLike(x, value, kind=None):
    return _op("FullLike", lambda v: _lax.full(v.shape, value, v.dtype), x)


def Iota(builder, shape, dim=None):
    if dim is None:
        return _constant(builder, _lax.iota(shape, dim))
    if isinstance(shape, MadeShape):
        return _constant(builder, _lax.broadcasted_iota(shape.kind, shape.sizes, dim))
    return _constant(builder, _lax.iota(shape, dim))


def RngNormal(mean, deviation, shape):
    return _rng(mean, shape, "normal")


def RngUniform(low, high, shape):
    return _rng(low, shape, "uniform")


def _rng(x, shape, kind):
    from jax import random
    sizes = tuple(shape.dimensions())
    if "int" in str(shape.element_type()):
        made = _lax.rng_bit_generator(None, sizes)[1]
    else:
        made = getattr(random, kind)(random.PRNGKey(0), sizes)
    builder = _builder_of([x])
    drawn = XlaOp(builder, "Rng", made)
    if builder is not None:
        builder.last = drawn
    return drawn


# ---- shapes

def Broadcast(x, sizes):
    return _op("Broadcast", _lax.broadcast, x, sizes)


def BroadcastInDim(x, sizes, dims):
    return _op("BroadcastInDim", lambda v, s, d: _lax.broadcast_in_dim(v, tuple(s), tuple(d)), x,
               sizes, dims)


def Reshape(x, *sizes):
    return _op("Reshape", _lax.reshape, x, sizes[-1])


def Transpose(x, order):
    return _op("Transpose", _lax.transpose, x, order)


def Collapse(x, dims):
    def run(v, dims):
        sizes, product = [], 1
        for i, size in enumerate(v.shape):
            if i in dims:
                product *= size
                if i == dims[-1]:
                    sizes.append(product)
            else:
                sizes.append(size)
        return _lax.reshape(v, sizes)
    return _op("Collapse", run, x, dims)


def Slice(x, begin, end, steps):
    return _op("Slice", _lax.slice, x, begin, end, steps)


def SliceInDim(x, begin, end, step, dim):
    return _op("SliceInDim", _lax.slice_in_dim, x, begin, end, step, dim)


def DynamicSlice(x, starts, sizes):
    return _op("DynamicSlice", _core.dynamic_slice, x, starts, sizes)


def DynamicUpdateSlice(x, update, starts):
    return _op("DynamicUpdateSlice", _core.dynamic_update_slice, x, update, starts)


def ConcatInDim(builder, operands, dim):
    return _op("ConcatInDim", _lax.concatenate, list(operands), dim)


def Rev(x, dims):
    return _op("Rev", _lax.rev, x, dims)


class PaddingConfig:
    def __init__(self):
        self.parts = []

    def add_dimensions(self):
        self.parts.append(PaddingPart())
        return self.parts[-1]

    def mutable_dimensions(self, i):
        return self.parts[i]


class PaddingPart:
    def __init__(self):
        self.low = self.high = self.interior = 0

    def set_edge_padding_low(self, n):
        self.low = n

    def set_edge_padding_high(self, n):
        self.high = n

    def set_interior_padding(self, n):
        self.interior = n


def MakeEdgePaddingConfig(pairs):
    made = PaddingConfig()
    for low, high in pairs:
        part = made.add_dimensions()
        part.low, part.high = low, high
    return made


def Pad(x, value, config):
    return _op("Pad", lambda v, z: _lax.pad(v, z, [(p.low, p.high, p.interior)
                                                   for p in config.parts]), x, value)


def PadInDim(x, value, dim, low, high):
    def run(v, z):
        return _lax.pad(v, z, [(low, high, 0) if i == dim else (0, 0, 0)
                               for i in range(len(v.shape))])
    return _op("PadInDim", run, x, value)


# ---- products

class DimensionNumbers:
    """Fields of a protobuf: add_NAME(v), set_NAME(v) and set_NAME(i, v), read by name."""

    def __init__(self):
        self.__dict__["fields"] = {}

    def __getattr__(self, name):
        fields = self.__dict__["fields"]
        if name.startswith("add_"):
            return lambda value: fields.setdefault(name[4:], []).append(value)
        if name.startswith("set_"):
            return lambda *values: self._set(name[4:], *values)
        return lambda *index: fields.get(name, []) if not index else fields[name][index[0]]

    def _set(self, name, *values):
        fields = self.__dict__["fields"]
        if len(values) == 1:
            fields[name] = values[0]
        else:
            fields[name][values[0]] = values[1]


class PrecisionConfig(DimensionNumbers):
    DEFAULT, HIGH, HIGHEST = "default", "high", "highest"

    def mutable_operand_precision(self):
        return _Precisions(self)


class _Precisions:
    """The repeated field, as protobuf gives it to be changed."""

    def __init__(self, config):
        self.config = config

    def Add(self, precision):
        self.config.add_operand_precision(precision)

    def Resize(self, number, precision):
        self.config.__dict__["fields"]["operand_precision"] = [precision for _ in range(number)]


def _precision(config):
    """Of both operands; none is given: the default."""
    if isinstance(config, PrecisionConfig):
        return config.operand_precision()
    return config if isinstance(config, str) else None


def Dot(a, b, precision=None, *more):
    return _op("Dot", lambda x, y: _lax.dot(x, y, _precision(precision)), a, b)


def DotGeneral(a, b, dims, precision=None, *more):
    f = dims.__dict__["fields"]

    def run(x, y):
        return _lax.dot_general(x, y, (
            (f.get("lhs_contracting_dimensions", []), f.get("rhs_contracting_dimensions", [])),
            (f.get("lhs_batch_dimensions", []), f.get("rhs_batch_dimensions", []))),
            _precision(precision))
    return _op("DotGeneral", run, a, b)


class PaddingKind:
    kSame, kValid = "SAME", "VALID"


def _conv_spec(rank, dims):
    """Dimension numbers as (input, kernel, output) in jax's order."""
    if dims is None:
        order = tuple(range(rank))
        return (order, order, order)
    f = dims.__dict__["fields"]
    return (tuple([f["input_batch_dimension"], f["input_feature_dimension"]] +
                  f["input_spatial_dimensions"]),
            tuple([f["kernel_output_feature_dimension"], f["kernel_input_feature_dimension"]] +
                  f["kernel_spatial_dimensions"]),
            tuple([f["output_batch_dimension"], f["output_feature_dimension"]] +
                  f["output_spatial_dimensions"]))


def _conv(a, b, strides, padding, low=None, high=None, dims=None, groups=1, batch_groups=1,
          precision=None):
    def run(x, y):
        spec = _conv_spec(len(x.shape), dims)
        numbers = _lax.ConvDimensionNumbers(spec[0], spec[1], spec[2])
        pads = padding if isinstance(padding, str) else [tuple(p) for p in padding]
        return _lax.conv_general_dilated(x, y, strides, pads, low or None, high or None, numbers,
                                         groups, batch_groups, _precision(precision))
    return _op("Conv", run, a, b)


def Conv(a, b, strides, padding, groups=1, batch_groups=1, precision=None, *more):
    return _conv(a, b, strides, padding, groups=groups, batch_groups=batch_groups,
                 precision=precision)


def ConvWithGeneralPadding(a, b, strides, padding, groups=1, batch_groups=1, precision=None, *more):
    return _conv(a, b, strides, padding, groups=groups, batch_groups=batch_groups,
                 precision=precision)


def ConvWithGeneralDimensions(a, b, strides, padding, dims, groups=1, batch_groups=1,
                              precision=None, *more):
    return _conv(a, b, strides, padding, dims=dims, groups=groups, batch_groups=batch_groups,
                 precision=precision)


def ConvGeneral(a, b, strides, padding, dims, groups=1, batch_groups=1, precision=None, *more):
    return _conv(a, b, strides, padding, dims=dims, groups=groups, batch_groups=batch_groups,
                 precision=precision)


def ConvGeneralDilated(a, b, strides, padding, lhs_dilation, rhs_dilation, dims, groups=1,
                       batch_groups=1, precision=None, *more):
    return _conv(a, b, strides, padding, lhs_dilation, rhs_dilation, dims, groups, batch_groups,
                 precision)


def CreateDefaultConvDimensionNumbers(spatial=2):
    made = DimensionNumbers()
    both = list(range(2, 2 + spatial))
    made.__dict__["fields"].update(
        {"input_batch_dimension": 0, "input_feature_dimension": 1,
         "input_spatial_dimensions": list(both), "kernel_output_feature_dimension": 0,
         "kernel_input_feature_dimension": 1, "kernel_spatial_dimensions": list(both),
         "output_batch_dimension": 0, "output_feature_dimension": 1,
         "output_spatial_dimensions": list(both)})
    return made


XlaBuilder.CreateDefaultConvDimensionNumbers = staticmethod(CreateDefaultConvDimensionNumbers)


# ---- reductions

_REDUCERS = {"Add": _lax.add, "Max": _lax.max, "Min": _lax.min, "Mul": _lax.mul,
             "And": _lax.bitwise_and, "Or": _lax.bitwise_or}


def _reducer(computation):
    kind = computation.kind() if isinstance(computation, XlaComputation) else ""
    if kind not in _REDUCERS:
        _tilewise.note("a reduction by a computation of more than one op is not followed: its "
                       "cost is not known")
        return None
    return _REDUCERS[kind]


def shaped(name, operands, sizes, kind):
    """An op of which the shape of the result is known, and not what it costs."""
    def run(*values):
        held = [v._h for v in values if hasattr(v, "_h")]
        return _core.new(_tilewise.op("tw.custom_call", held, {
            "shape": list(sizes), "dtype": _core.dtype(kind).short, "label": name}))
    return _op(name, run, *operands)


def _left(x, dims):
    return [n for i, n in enumerate(value_of(x).shape) if i not in dims]


def Reduce(x, initial, computation, dims, *more):
    if isinstance(x, XlaBuilder):
        return _reduce_several(initial, computation, *([dims] + list(more)))
    function = _reducer(computation)
    if function is None:
        return shaped("reduce", [x, initial], _left(x, dims), value_of(x).dtype)
    return _op("Reduce", lambda v, z, d: _lax.reduce(v, z, function, d), x, initial, dims)


def _reduce_several(operands, initial, computation, dims):
    _tilewise.note("a reduction of several arrays at once is not followed: its cost is not known")
    parts = [shaped("reduce", list(operands), _left(x, dims), value_of(x).dtype) for x in operands]
    return _op("Tuple", lambda values: tuple(values), parts)


def ReduceAll(x, initial, computation):
    return Reduce(x, initial, computation, list(range(len(value_of(x).shape))))


def ReduceWindow(x, initial, computation, sizes, strides, padding):
    function = _reducer(computation)
    if function is None:
        return XlaOp(_builder_of([x]), "ReduceWindow", _tilewise.unknown("a window"))
    return _op("ReduceWindow", lambda v, z: _lax.reduce_window(v, z, function, sizes, strides,
                                                               padding), x, initial)


def ReduceWindowWithGeneralPadding(x, initial, computation, sizes, strides, base, window, padding):
    function = _reducer(computation)
    if function is None:
        return XlaOp(_builder_of([x]), "ReduceWindow", _tilewise.unknown("a window"))
    pads = [tuple(p) for p in padding]
    return _op("ReduceWindow", lambda v, z: _lax.reduce_window(
        v, z, function, sizes, strides, pads, base or None, window or None), x, initial)


def _pads(x, window, strides, padding):
    if isinstance(padding, str):
        return _core.windows(padding, x.shape, list(window), list(strides), [1] * len(window))
    return [p[0] for p in padding], [p[1] for p in padding]


def SelectAndScatter(x, select, window, strides, padding, source, initial, scatter):
    """The gradient of max pooling, which is what it is written for."""
    if not (isinstance(select, XlaComputation) and select.kind() in ("Ge", "Gt")
            and isinstance(scatter, XlaComputation) and scatter.kind() == "Add"):
        _tilewise.note("SelectAndScatter of other computations than Ge and Add is not followed")
        return XlaOp(_builder_of([x]), "SelectAndScatter", _tilewise.unknown("a window"))

    def run(v, y):
        low, high = _pads(v, window, strides, padding)
        return _core.select_and_scatter(v, y, window, strides, low, high)
    return _op("SelectAndScatter", run, x, source)


# ---- rows, sorting, control flow

class GatherNumbers(DimensionNumbers):
    pass


class _Numbers:
    def __init__(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)


def _index_vectors_last(indices, dim):
    """Dim `dim` holds vectors of indices; one behind the last dim is of size 1."""
    rank = len(indices.shape)
    if dim == rank:
        return _lax.reshape(indices, tuple(indices.shape) + (1,))
    if dim == rank - 1:
        return indices
    return _lax.transpose(indices, [d for d in range(rank) if d != dim] + [dim])


def Gather(x, indices, dims, sizes, *more):
    f = dims.__dict__["fields"]
    numbers = _Numbers(start_index_map=f.get("start_index_map", []),
                       collapsed_slice_dims=f.get("collapsed_slice_dims", []),
                       offset_dims=f.get("offset_dims", []))
    dim = f.get("index_vector_dim", 0)
    return _op("Gather", lambda v, i: _lax.gather(v, _index_vectors_last(i, dim), numbers, sizes),
               x, indices)


def Scatter(x, indices, updates, computation, *more):
    kind = computation.kind() if isinstance(computation, XlaComputation) else ""
    function = _lax.scatter_add if kind == "Add" else _lax.scatter
    return _op("Scatter", function, x, indices, updates)


def Sort(operands, comparator=None, dim=-1, stable=False):
    if len(operands) == 1:
        return _op("Sort", lambda v: _lax.sort(v, dim), operands[0])
    return _op("Sort", lambda values: _lax.sort(tuple(values), dim), list(operands))


def Map(builder, operands, computation, *more):
    return _op("Map", lambda values: computation(*values), list(operands))


def Tuple(builder, operands, *more):
    return _op("Tuple", lambda values: tuple(values), list(operands))


def GetTupleElement(x, index):
    return _op("GetTupleElement", lambda values, i: values[i], x, index)


def While(condition, body, initial):
    return _op("While", lambda v: _lax.while_loop(condition, body, v), initial)


def Conditional(predicate, *more):
    """Of two computations by a truth value, or of several by an index."""
    if len(more) == 2:
        branches, operands = list(more[0]), list(more[1])
        return _op("Conditional", lambda i, values: _lax.switch(
            i, [lambda b=b, v=v: b(v) for b, v in zip(branches, values)]), predicate, operands)
    a, true_body, b, false_body = more

    def run(p, x, y):
        return _lax.cond(p, lambda pair: true_body(pair[0]), lambda pair: false_body(pair[1]),
                         (x, y))
    return _op("Conditional", run, predicate, a, b)


def Call(builder, computation, operands):
    return _op("Call", lambda values: computation(*values), list(operands))


_KINDS = {"F32": "float32", "F64": "float64", "BF16": "bfloat16", "F16": "float16", "S8": "int8",
          "S16": "int16", "S32": "int32", "S64": "int64", "U8": "uint8", "U16": "uint16",
          "U32": "uint32", "U64": "uint64", "PRED": "bool", "C64": "complex64",
          "C128": "complex128"}


def _libraries():
    import _tilewise_xla_lib
    return _tilewise_xla_lib


def _harness():
    import _tilewise_xla_tests
    return _tilewise_xla_tests


class XlaSpace:
    def __getattr__(self, name):
        if name in _UNARY:
            return unary(name)
        if name in _BINARY:
            return binary(name)
        if name in _KINDS:
            return _core.dtype(_KINDS[name])
        if name in _NAMES:
            return _NAMES[name]
        for module in (_libraries(), _harness()):
            if hasattr(module, name):
                return getattr(module, name)
        return _tilewise.unknown("xla::" + name)


class _Static:
    MakeShape = staticmethod(MakeShape)
    MakeShapeWithDescendingLayout = MakeValidatedShape = staticmethod(MakeShape)
    MakeShapeWithLayout = MakeShapeWithDenseLayout = staticmethod(MakeShape)
    MakeScalarShape = staticmethod(MakeScalarShape)
    MakeTupleShape = staticmethod(MakeTupleShape)
    ElementsIn = staticmethod(ElementsIn)
    MakeShapeWithType = staticmethod(MakeShapeWithType)
    ChangeElementType = staticmethod(ChangeElementType)
    IsScalar = staticmethod(lambda shape: len(shape.dimensions()) == 0)
    GetDimension = staticmethod(lambda shape, i: shape.dimensions(i))
    GetTupleElementShape = staticmethod(lambda shape, i: shape.tuple_shapes(i))
    CreateDefaultConvDimensionNumbers = staticmethod(CreateDefaultConvDimensionNumbers)


class _Kinds:
    NativeToPrimitiveType = staticmethod(lambda *values, kind=None: kind_of(kind))
    IsFloatingPointType = staticmethod(lambda kind: "float" in str(kind))
    IsIntegralType = staticmethod(lambda kind: "int" in str(kind))


def create_add(kind, builder=None):
    return scalar_computation("Add", kind)


def scalar_computation(name, kind):
    builder = XlaBuilder(name)
    shape = MakeShape(kind, [])
    a, b = Parameter(builder, 0, shape, "a"), Parameter(builder, 1, shape, "b")
    return XlaComputation(_binary(name, a, b), [a, b])


def creator(name):
    return lambda kind, *more: scalar_computation(name, kind)


_NAMES = {
    "XlaBuilder": XlaBuilder, "XlaComputation": XlaComputation, "XlaOp": XlaOp,
    "ShapeUtil": _Static, "Parameter": Parameter, "Select": Select, "Clamp": Clamp,
    "ConvertElementType": ConvertElementType, "BitcastConvertType": BitcastConvertType,
    "ConstantR0": ConstantR0, "ConstantR1": ConstantR1, "ConstantR2": ConstantR2, "Zero": Zero,
    "One": One, "MinValue": MinValue, "MaxValue": MaxValue, "ScalarLike": ScalarLike,
    "FullLike": FullLike, "Iota": Iota, "RngNormal": RngNormal, "RngUniform": RngUniform,
    "Broadcast": Broadcast, "BroadcastInDim": BroadcastInDim, "Reshape": Reshape,
    "Transpose": Transpose, "Collapse": Collapse, "Slice": Slice, "SliceInDim": SliceInDim,
    "DynamicSlice": DynamicSlice, "DynamicUpdateSlice": DynamicUpdateSlice,
    "ConcatInDim": ConcatInDim, "Rev": Rev, "PaddingConfig": PaddingConfig,
    "MakeEdgePaddingConfig": MakeEdgePaddingConfig, "Pad": Pad, "PadInDim": PadInDim,
    "DotDimensionNumbers": DimensionNumbers, "ConvolutionDimensionNumbers": DimensionNumbers,
    "GatherDimensionNumbers": DimensionNumbers, "ScatterDimensionNumbers": DimensionNumbers,
    "PrecisionConfig": PrecisionConfig, "Dot": Dot, "DotGeneral": DotGeneral,
    "Padding": PaddingKind, "Conv": Conv, "ConvWithGeneralPadding": ConvWithGeneralPadding,
    "ConvWithGeneralDimensions": ConvWithGeneralDimensions, "ConvGeneral": ConvGeneral,
    "ConvGeneralDilated": ConvGeneralDilated, "Reduce": Reduce, "ReduceAll": ReduceAll,
    "ReduceWindow": ReduceWindow, "ReduceWindowWithGeneralPadding": ReduceWindowWithGeneralPadding,
    "Gather": Gather, "Scatter": Scatter, "Sort": Sort, "Tuple": Tuple,
    "GetTupleElement": GetTupleElement, "While": While, "Conditional": Conditional, "Call": Call,
    "CreateScalarAddComputation": creator("Add"),
    "CreateScalarMaxComputation": creator("Max"), "CreateScalarMinComputation": creator("Min"),
    "CreateScalarMultiplyComputation": creator("Mul"), "Shape": MadeShape,
    "CreateScalarGeComputation": creator("Ge"), "CreateScalarGtComputation": creator("Gt"),
    "CreateScalarLtComputation": creator("Lt"), "CreateScalarAndComputation": creator("And"),
    "CreateScalarOrComputation": creator("Or"), "MaxFiniteValue": MaxValue,
    "MinFiniteValue": MinValue, "NanValue": NanValue, "primitive_util": _Kinds, "Epsilon": One,
    "ConstantR0WithType": ConstantR0WithType, "Zeros": Zeros,
    "GetDimensionSize": GetDimensionSize, "SelectAndScatter": SelectAndScatter,
    "SelectAndScatterWithGeneralPadding": SelectAndScatter, "Map": Map,
}
xla = XlaSpace()
