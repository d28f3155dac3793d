"""Types of elements."""


class DType:
    """`code` is tilewise's name of it; kinds: b bool, i u integers, f floats, c complex, O else."""

    def __init__(self, name, code, size, kind, rank):
        self.name, self.code, self.size, self.kind, self.rank = name, code, size, kind, rank

    is_quantized = False
    is_floating = property(lambda self: self.kind == "f")
    is_integer = property(lambda self: self.kind in "iu")
    is_complex = property(lambda self: self.kind == "c")
    is_bool = property(lambda self: self.kind == "b")
    is_unsigned = property(lambda self: self.kind == "u")
    is_numeric = is_numpy_compatible = property(lambda self: self.kind != "O")
    itemsize = property(lambda self: self.size)
    as_datatype_enum = property(lambda self: self.rank)
    __name__ = property(lambda self: self.name)

    @property
    def base_dtype(self):
        return self

    @property
    def real_dtype(self):
        return float32 if self is complex64 else float64 if self is complex128 else self

    @property
    def as_numpy_dtype(self):
        import numpy
        name = "bool_" if self.kind == "b" else self.name
        if self.kind == "O" or name == "bfloat16":
            return self
        return getattr(numpy, name)

    @property
    def max(self):
        if self.kind == "f":
            return {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38,
                    "f64": 1.7976931348623157e308}.get(self.code, 448.0)
        if self.kind == "b":
            return True
        bits = 8 * self.size
        return 2 ** bits - 1 if self.kind == "u" else 2 ** (bits - 1) - 1

    @property
    def min(self):
        if self.kind == "f":
            return -self.max
        if self.kind == "b":
            return False
        return 0 if self.kind == "u" else -2 ** (8 * self.size - 1)

    @property
    def limits(self):
        return self.min, self.max

    def is_compatible_with(self, other):
        return as_dtype(other) is self

    def __eq__(self, other):
        if other is self:
            return True
        return other is not None and as_dtype(other, None) is self

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return "tf." + self.name

    def __str__(self):
        return "<dtype: '" + self.name + "'>"


bool_ = DType("bool", "pred", 1, "b", 0)
uint4 = DType("uint4", "u4", 1, "u", 1)
int4 = DType("int4", "s4", 1, "i", 1)
uint8 = DType("uint8", "u8", 1, "u", 2)
int8 = DType("int8", "s8", 1, "i", 2)
uint16 = DType("uint16", "u16", 2, "u", 3)
int16 = DType("int16", "s16", 2, "i", 3)
uint32 = DType("uint32", "u32", 4, "u", 4)
int32 = DType("int32", "s32", 4, "i", 4)
uint64 = DType("uint64", "u64", 8, "u", 5)
int64 = DType("int64", "s64", 8, "i", 5)
float8_e4m3fn = DType("float8_e4m3fn", "f8e4m3fn", 1, "f", 10)
float8_e5m2 = DType("float8_e5m2", "f8e5m2", 1, "f", 10)
bfloat16 = DType("bfloat16", "bf16", 2, "f", 11)
float16 = DType("float16", "f16", 2, "f", 11)
float32 = DType("float32", "f32", 4, "f", 12)
float64 = DType("float64", "f64", 8, "f", 13)
complex64 = DType("complex64", "c64", 8, "c", 14)
complex128 = DType("complex128", "c128", 16, "c", 15)
string = DType("string", "u8", 1, "O", 20)
resource = DType("resource", "u8", 1, "O", 21)
variant = DType("variant", "u8", 1, "O", 22)
half, double = float16, float64

ALL = [bool_, uint4, int4, uint8, int8, uint16, int16, uint32, int32, uint64, int64, float8_e4m3fn,
       float8_e5m2, bfloat16, float16, float32, float64, complex64, complex128]
BY_CODE = {t.code: t for t in ALL}
BY_NAME = {t.name: t for t in ALL + [string, resource, variant]}
BY_NAME.update(BY_CODE)
BY_NAME.update({"float": float32, "int": int32, "bool_": bool_, "half": float16, "double": float64,
                "str": string, "object": string, "bytes": string, "f2": float16, "f4": float32,
                "f8": float64, "i4": int32, "i8": int64, "u1": uint8, "i1": int8, "i2": int16,
                "str_": string, "bytes_": string, "float32_ref": float32, "int_": int64,
                "float_": float64, "int64_ref": int64})
_PYTHON = {float: float32, int: int32, bool: bool_, str: string, bytes: string,
           complex: complex128, object: string}


def as_dtype(x, otherwise=float32):
    """The type that `x` names."""
    if isinstance(x, DType):
        return x
    if isinstance(x, str):
        return BY_NAME.get(x.split(".")[-1].lstrip("<>=|"), otherwise)
    if isinstance(x, type):
        found = _PYTHON.get(x)
        if found is not None:
            return found
    code = getattr(x, "code", None)
    if isinstance(code, str) and code in BY_CODE:
        return BY_CODE[code]
    inner = getattr(x, "dtype", None)
    if isinstance(inner, DType):
        return inner
    name = getattr(x, "name", None) or getattr(x, "__name__", None)
    return BY_NAME.get(name, otherwise) if isinstance(name, str) else otherwise


def code_of(x):
    if isinstance(x, DType):
        return x.code
    return as_dtype(x).code


def promoted(s, t):
    """Of two codes the wider one, floats before integers."""
    return s if BY_CODE[s].rank >= BY_CODE[t].rank else t


FLOATS = ("f32", "bf16", "f16", "f64", "f8e4m3fn", "f8e5m2")
