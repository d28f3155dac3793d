"""jax.nn.initializers: functions that give the shape and type of a weight; no numbers are made."""

import _tilewise as _t
from jax import _core as _c


class Initializer:
    """Called with a key, a shape and a type."""

    def __init__(self, name, dtype=None, value=None):
        self.__name__ = name
        self.name = name
        self.dtype = dtype
        self.value = value

    def __call__(self, key, shape, dtype=None, out_sharding=None):
        d = _c.dtype(dtype if dtype is not None else self.dtype)
        shape = tuple(_t.sizes(shape))
        if self.value is not None:
            return _c.full(self.value, shape, d)
        levels = getattr(key, "_b", ())
        wide = _c.sizes_of(levels) + list(shape)
        r = _c.lazy(shape, d, lambda: _t.op("tw.random", [], {
            "kind": "normal", "shape": wide, "dtype": d.short}))
        if levels:
            r._b = levels
        return r

    def __repr__(self):
        return "<initializer " + self.name + ">"


zeros = Initializer("zeros", None, 0)
ones = Initializer("ones", None, 1)


def zeros_init():
    return zeros


def ones_init():
    return ones


def constant(value, dtype=None):
    if isinstance(value, (int, float)):
        return Initializer("constant", dtype, value)

    def init(key, shape, dtype=dtype, out_sharding=None):
        return _c.broadcast_to(_c.convert(_c.as_array(value), _c.dtype(dtype)), shape)
    return init


def _of(name):
    return lambda *args, dtype=None, **kw: Initializer(name, dtype)


def normal(stddev=1e-2, dtype=None):
    return Initializer("normal", dtype)


def uniform(scale=1e-2, dtype=None):
    return Initializer("uniform", dtype)


def truncated_normal(stddev=1e-2, dtype=None, lower=-2.0, upper=2.0):
    return Initializer("truncated_normal", dtype)


def variance_scaling(scale, mode, distribution, in_axis=-2, out_axis=-1, batch_axis=(),
                     dtype=None, **kw):
    return Initializer("variance_scaling", dtype)


xavier_uniform = glorot_uniform = _of("glorot_uniform")
xavier_normal = glorot_normal = _of("glorot_normal")
lecun_uniform = _of("lecun_uniform")
lecun_normal = _of("lecun_normal")
he_uniform = kaiming_uniform = _of("he_uniform")
he_normal = kaiming_normal = _of("he_normal")
orthogonal = _of("orthogonal")
delta_orthogonal = _of("delta_orthogonal")


def compute_fans(shape, in_axis=-2, out_axis=-1, batch_axis=()):
    """Numbers that only the values of weights depend on."""
    shape = tuple(_t.sizes(shape))
    field = 1
    for i, n in enumerate(shape):
        if i - len(shape) not in (in_axis, out_axis) and i not in (in_axis, out_axis):
            field *= n
    return field * shape[in_axis], field * shape[out_axis]


_compute_fans = compute_fans
