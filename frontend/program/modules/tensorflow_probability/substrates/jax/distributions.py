"""tensorflow_probability.substrates.jax.distributions."""

from _tilewise_distributions_jax import *
from _tilewise_distributions_jax import Transformed as TransformedDistribution


def kl_divergence(first, second, **kw):
    return first.kl_divergence(second)
