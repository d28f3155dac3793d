"""Literals and arrays of XLA's hosts, and the fixtures of XLA's own tests."""

import _tilewise
from jax import random as _random
from _tilewise_xla import (MadeShape, MakeTupleShape, Parameter, XlaOp, _constant, kind_of,
                           number_of, scalar_computation)


class Literal:
    """Numbers that the code writes out, or a shape whose numbers the host has."""

    def __init__(self, values=None, kind=None, parts=None):
        self.parts = parts
        shaped = isinstance(values, (MadeShape, Array))
        self.sizes = list(values.dimensions()) if shaped else None
        self.values = None if shaped else values
        self.kind = values.element_type() if shaped else kind

    def array(self):
        if self.parts is not None:
            return tuple([p.array() for p in self.parts])
        if self.sizes is None:
            return number_of(self.values, self.kind)
        return numbers(self.sizes, self.kind)

    def shape(self):
        if self.parts is not None:
            return MakeTupleShape([p.shape() for p in self.parts])
        if self.sizes is not None:
            return MadeShape(self.kind, self.sizes)
        made = self.array()
        return MadeShape(made.dtype, list(made.shape))

    def Clone(self):
        return self


LiteralSlice = Literal


def numbers(sizes, kind):
    """Numbers of the host: their shape and type are known."""
    code = kind_of(kind)
    made = _random.normal(_random.PRNGKey(0), tuple(sizes))
    return made.astype(code)


class Array:
    """Array2D<float>(3, 4), also of rows that are written out."""

    def __init__(self, *values, kind=None):
        self.kind, self.rows = kind, None
        sizes = list(values)
        if len(sizes) == 1 and isinstance(sizes[0], list):
            rows = sizes[0]
            if rows and isinstance(rows[0], (list, float)):
                self.rows, sizes = rows, _sizes_of(rows)
            else:
                sizes = rows
        elif len(sizes) > self.rank:
            sizes = sizes[:self.rank]  # and a value for all
        self.sizes = sizes

    rank = 4

    def dimensions(self):
        return self.sizes

    def element_type(self):
        return kind_of(self.kind)

    def n1(self):
        return self.sizes[0]

    height = planes = n1

    def n2(self):
        return self.sizes[1]

    width = depth = n2

    def num_elements(self):
        count = 1
        for size in self.sizes:
            count *= size
        return count

    def Fill(self, *values):
        self.rows = None

    FillIota = FillRandom = FillUnique = FillWithYX = FillWithZY = FillWithPZ = Fill
    FillWithMultiples = FillRandomUniform = SetValues = FillWithMinorDimNum = Fill

    def __getitem__(self, where):
        return self

    def __call__(self, *where):
        return 0.0


def _sizes_of(rows):
    sizes = []
    while isinstance(rows, list):
        sizes.append(len(rows))
        rows = rows[0] if rows else None
    return sizes


class Array1D(Array):
    rank = 1


class Array2D(Array):
    rank = 2


class Array3D(Array):
    rank = 3


class Array4D(Array):
    rank = 4


def _literal(values=None, *more, kind=None):
    return Literal(values, kind)


def _of_array(array, *more, kind=None):
    if isinstance(array, (list, float, int)):
        return Literal(array, kind)
    return Literal(array.rows, kind or array.kind) if array.rows is not None else Literal(array)


def _tuple(*parts):
    parts = parts[0] if len(parts) == 1 and isinstance(parts[0], list) else parts
    return Literal(parts=list(parts))


class LiteralUtil:
    CreateR0 = CreateR1 = CreateR2 = CreateR3 = CreateR4 = staticmethod(_literal)
    CreateR2WithLayout = CreateR3WithLayout = CreateR4WithLayout = staticmethod(_literal)
    CreateFromArray = CreateR2FromArray2D = CreateR3FromArray3D = staticmethod(_of_array)
    CreateR4FromArray4D = CreateFromArrayWithLayout = staticmethod(_of_array)
    CreateR2FromArray2DWithLayout = CreateR4FromArray4DWithLayout = staticmethod(_of_array)
    CreateFullWithDescendingLayout = staticmethod(
        lambda sizes, value, kind=None: Literal(MadeShape(kind_of(kind), list(sizes))))
    MakeTuple = MakeTupleFromSlices = MakeTupleOwned = staticmethod(_tuple)
    Zero = One = MinValue = MaxValue = staticmethod(lambda kind: Literal(0, kind))


def ConstantLiteral(builder, literal):
    return _constant(builder, literal.array())


def ConstantFromArray(builder, array, *more, kind=None):
    return ConstantLiteral(builder, _of_array(array, kind=kind))


ConstantR2FromArray2D = ConstantR3FromArray3D = ConstantR4FromArray4D = ConstantFromArray
ConstantR2FromArray2DWithLayout = ConstantR4FromArray4DWithLayout = ConstantFromArray


class ErrorSpec:
    def __init__(self, *values):
        pass


class Transferred:
    """What the host sent to the device."""

    def get(self):
        return self


class Client:
    """Sends literals and runs computations; what runs was built before."""

    def TransferToServer(self, *values):
        return Transferred()

    def Execute(self, *values):
        return Transferred()

    def ExecuteAndTransfer(self, *values):
        return _tilewise.unknown("what the device computed")

    ComputeConstant = Transfer = ExecuteAndTransfer


class ClientLibraryTestBase:
    """The fixture of XLA's tests: it compares what a builder makes with what is expected."""

    def __init__(self, *values):
        self.client_ = Client()
        self.added_ = 0

    def TestName(self):
        return "test"

    def _build(self, builder, *more, **named):
        if hasattr(builder, "Build"):
            builder.Build()
        return _tilewise.unknown("what the device computed")

    ComputeAndCompareR0 = ComputeAndCompareR1 = ComputeAndCompareR2 = ComputeAndCompareR3 = _build
    ComputeAndCompareR4 = ComputeAndCompareLiteral = ComputeAndCompareTuple = _build
    ComputeAndCompare = ComputeAndCompareR1U8 = ExecuteAndTransfer = ComputeAndTransfer = _build
    ExecuteToString = Execute = ExecuteLocallyOrDie = ExecuteAndTransferReference = _build
    ComputeAndCompareLiteralWithStatus = ComputeValueAndReference = _build

    def CreateParameterAndTransferLiteral(self, number, literal, name, *more):
        builder, handle = more[-2], more[-1]
        handle.become(Parameter(builder, number, literal.shape(), name))
        builder.parameters[number] = handle
        builder.last = handle
        return Transferred()

    def CreateR0Parameter(self, value, number, name, builder, handle, **named):
        literal = _of_array(value) if isinstance(value, Array) else Literal(value)
        return self.CreateParameterAndTransferLiteral(number, literal, name, builder, handle)

    CreateR1Parameter = CreateR2Parameter = CreateR0Parameter
    CreateR3Parameter = CreateR4Parameter = CreateR0Parameter

    def CreateParameter(self, literal, number, name, builder, handle=None, **named):
        self.CreateParameterAndTransferLiteral(number, literal, name, builder, handle or XlaOp())
        return literal

    def AddParam(self, value, builder):
        literal = _of_array(value) if isinstance(value, Array) else value
        self.added_ += 1
        return Parameter(builder, self.added_ - 1, literal.shape(), "parameter")

    def CreateConstantFromLiteral(self, literal, builder):
        return ConstantLiteral(builder, literal)

    def CreateConstantFromArray(self, array, builder):
        return ConstantFromArray(builder, array)

    def CreateConstantFromScalar(self, value, builder):
        return ConstantLiteral(builder, Literal(value))

    def CreatePatternedMatrix(self, rows, columns, *more):
        return Array2D(rows, columns)

    def CreatePseudorandomR1(self, width, *more):
        return [0.5] * width

    def CreatePseudorandomR2(self, rows, columns, *more):
        return Array2D(rows, columns)

    def CreateScalarMax(self):
        return scalar_computation("Max", kind_of("F32"))

    def FloatType(self):
        return kind_of("F32")

    def use_bfloat16(self):
        return False

    def SetFastMathDisabled(self, *values):
        """An option of the compiler."""

    set_use_bfloat16 = SetSeed = SetUp = TearDown = SetFastMathDisabled

    def mutable_debug_options(self):
        return _tilewise.unknown("options of the compiler")


ClientLibraryTestRunnerMixin = LocalClientTestBase = ClientLibraryTestBase
