"""flax.linen.linear."""

from flax.linen._layers import (Dense, DenseGeneral, Conv, ConvLocal, ConvTranspose, Embed, Einsum,
                                promote_dtype)
from flax.linen.initializers import lecun_normal
from jax.nn import initializers

default_kernel_init = lecun_normal()
default_embed_init = initializers.normal()
PrecisionLike = object
Dtype = object
Shape = tuple


def canonicalize_padding(padding, rank):
    if isinstance(padding, str):
        return padding
    if isinstance(padding, int):
        return [(padding, padding)] * rank
    return [(p, p) if isinstance(p, int) else tuple(p) for p in padding]


def _canonicalize_tuple(x):
    return (x,) if isinstance(x, int) else tuple(x)


def _normalize_axes(axes, ndim):
    return tuple(sorted(a % ndim for a in axes))


def _conv_dimension_numbers(input_shape):
    """Batch first and features last; of a kernel the features come last."""
    from jax.lax import ConvDimensionNumbers
    n = len(input_shape)
    data = (0, n - 1) + tuple(range(1, n - 1))
    return ConvDimensionNumbers(data, (n - 1, n - 2) + tuple(range(n - 2)), data)
