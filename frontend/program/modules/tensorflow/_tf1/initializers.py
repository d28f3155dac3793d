"""Initializers of TensorFlow 1: of a weight only its shape matters, so they hold little."""

import _tilewise as _t
from tensorflow._dtypes import code_of, float32
from tensorflow._tensor import wrap


class Initializer:
    def __init__(self, *args, **kw):
        self.dtype = kw.get("dtype", float32)

    def __call__(self, shape, dtype=None, partition_info=None, **kw):
        return wrap(_t.full(0.5, _t.sizes(shape), code_of(dtype or self.dtype)))

    def get_config(self):
        return {}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class zeros(Initializer):
    def __init__(self, dtype=float32):
        self.dtype = dtype

    def __call__(self, shape, dtype=None, partition_info=None, **kw):
        return wrap(_t.full(0, _t.sizes(shape), code_of(dtype or self.dtype)))


class ones(Initializer):
    def __init__(self, dtype=float32):
        self.dtype = dtype


class constant(Initializer):
    def __init__(self, value=0, dtype=float32, verify_shape=False, **kw):
        self.value, self.dtype = value, dtype


class truncated_normal(Initializer):
    pass


class random_normal(Initializer):
    pass


class random_uniform(Initializer):
    pass


class variance_scaling(Initializer):
    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None,
                 dtype=float32, factor=None, uniform=False, **kw):
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.dtype = dtype


class glorot_uniform(Initializer):
    pass


class glorot_normal(Initializer):
    pass


class orthogonal(Initializer):
    pass


class uniform_unit_scaling(Initializer):
    pass


class identity(Initializer):
    pass


he_normal = he_uniform = lecun_normal = lecun_uniform = glorot_normal
Zeros, Ones, Constant, TruncatedNormal, RandomNormal = (zeros, ones, constant, truncated_normal,
                                                         random_normal)
RandomUniform, VarianceScaling, Orthogonal = random_uniform, variance_scaling, orthogonal


def global_variables(*args, **kw):
    from tensorflow._tf1.session import initializer_op
    return initializer_op()


local_variables = tables_initializer = variables = global_variables


def __getattr__(name):
    """What TensorFlow 2 has at this place."""
    if name[:1] == "_":
        raise AttributeError(name)
    from keras import initializers
    return getattr(initializers, name)
