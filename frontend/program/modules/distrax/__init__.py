"""distrax."""

from _tilewise_bijectors_jax import (Bijector, Block, Chain, Lambda, ScalarAffine, Sigmoid, Tanh)
from _tilewise_distributions_jax import (
    Bernoulli, Beta, Categorical, Deterministic, Distribution, EpsilonGreedy, Gamma, Greedy,
    Independent, Laplace, Logistic, MixtureSameFamily, MultivariateNormalDiag,
    MultivariateNormalFullCovariance, MultivariateNormalTri, Normal, OneHotCategorical, Softmax,
    Transformed, Uniform)

DistributionLike = BijectorLike = object
