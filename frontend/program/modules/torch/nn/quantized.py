from ._module import Module
from .._tensor import cat


class FloatFunctional(Module):
    """Arithmetic as a module."""

    def add(self, x, y):
        return x + y

    def mul(self, x, y):
        return x * y

    add_scalar, mul_scalar = add, mul

    def add_relu(self, x, y):
        return (x + y).relu()

    def cat(self, x, dim=0):
        return cat(x, dim)


QFunctional = FloatFunctional
