"""flax.linen.dtypes."""

from flax.linen._layers import promote_dtype


def canonicalize_dtype(*args, dtype=None, inexact=True):
    from jax.numpy import result_type
    return dtype if dtype is not None else result_type(*[a for a in args if a is not None])
