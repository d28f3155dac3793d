"""tensorflow_probability.substrates.jax.distributions."""

from _tilewise_distributions import *
from _tilewise_distributions import Transformed as TransformedDistribution


def kl_divergence(first, second, **kw):
    return first.kl_divergence(second)
