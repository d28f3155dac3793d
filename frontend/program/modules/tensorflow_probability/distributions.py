"""tensorflow_probability.distributions."""

from _tilewise_distributions_tf import *
from _tilewise_distributions_tf import Transformed as TransformedDistribution


def kl_divergence(first, second, **kw):
    return first.kl_divergence(second)
