"""jax.dtypes."""

from jax import _core as _c
from jax.numpy import issubdtype, result_type, finfo, iinfo

bfloat16 = _c.bfloat16
float0 = _c.bool_


class prng_key:
    kinds = ""


class extended:
    kinds = ""


def canonicalize_dtype(d, allow_extended_dtype=False):
    return _c.dtype(d)


def scalar_type_of(x):
    return type(x)
