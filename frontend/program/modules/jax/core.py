"""jax.core, as far as models ask for it."""

from jax._core import Array


class Tracer:
    pass


class ConcreteArray:
    pass


class ShapedArray:
    def __init__(self, shape, dtype, *args, **kw):
        self.shape = tuple(shape)
        self.dtype = dtype


class Jaxpr:
    pass


class ClosedJaxpr:
    pass


class Primitive:
    def __init__(self, name=""):
        self.name = name


class NamedShape(dict):
    pass


def get_axis_env():
    return {}


def is_constant_shape(x):
    return True


def concrete_or_error(force, x, context=""):
    return x if force is None else force(x)


class AxisFrame:
    def __init__(self, size):
        self.size = size


def axis_frame(name):
    from jax import lax
    return AxisFrame(lax.axis_size(name))


class eval_context:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


def unsafe_get_current_trace():
    return None
