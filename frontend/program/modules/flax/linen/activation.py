"""flax.linen.activation."""

from jax.nn import (relu, sigmoid, silu, swish, gelu, softplus, soft_sign, log_sigmoid, elu, selu,
                    celu, leaky_relu, glu, softmax, log_softmax, tanh)
from flax.linen._layers import PReLU
