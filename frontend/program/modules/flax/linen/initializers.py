"""flax.linen.initializers."""

from jax.nn.initializers import (
    Initializer, zeros, ones, zeros_init, ones_init, constant, normal, uniform, truncated_normal,
    variance_scaling, xavier_uniform, xavier_normal, glorot_uniform, glorot_normal, lecun_uniform,
    lecun_normal, he_uniform, he_normal, kaiming_uniform, kaiming_normal, orthogonal,
    delta_orthogonal)
