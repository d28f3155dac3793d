"""torch.distributions: what they draw, and the formulas of their densities."""

from ._base import (
    Distribution, ExponentialFamily, Independent, MixtureSameFamily, TransformedDistribution,
    register_kl)
from ._continuous import (
    Beta, Cauchy, Chi2, Dirichlet, Exponential, Gamma, Gumbel, HalfNormal, Laplace, LogNormal,
    LowRankMultivariateNormal, MultivariateNormal, Normal, StudentT, Uniform, VonMises)
from ._discrete import (
    Bernoulli, Binomial, Categorical, Geometric, Multinomial, NegativeBinomial, OneHotCategorical,
    OneHotCategoricalStraightThrough, Poisson, RelaxedBernoulli, RelaxedOneHotCategorical)
from ._kl import kl_divergence
from . import (
    bernoulli, beta, categorical, constraints, distribution, independent, kl, laplace,
    multivariate_normal, normal, one_hot_categorical, transforms, uniform, utils)
from .transforms import AffineTransform, ExpTransform, SigmoidTransform, TanhTransform, Transform
from .transforms import ComposeTransform
