"""jaxtyping: names of types, which take any index."""

from jax._core import Array


class _Any:
    def __class_getitem__(cls, item):
        return cls


Float = Int = Bool = UInt = Integer = Num = Real = Complex = Shaped = Inexact = Key = _Any
Float32 = Float16 = BFloat16 = Int32 = Int8 = UInt8 = UInt32 = Int64 = Float64 = Scalar = _Any
ScalarLike = ArrayLike = PRNGKeyArray = PyTree = PyTreeDef = AbstractArray = _Any


def jaxtyped(fn=None, *, typechecker=None):
    return fn if fn is not None else (lambda f: f)


class install_import_hook:
    def __init__(self, *args, **kw):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False
