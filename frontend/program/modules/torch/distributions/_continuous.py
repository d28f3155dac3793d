"""Distributions of real numbers."""

import math

import _tilewise
import torch
from ._base import Distribution, broadcast_all

_HALF_LOG = 0.5 * math.log(2 * math.pi)


class _Two(Distribution):
    """One of two numbers for each element."""
    has_rsample = True
    names = ("loc", "scale")

    def __init__(self, first, second, validate_args=None):
        first, second = broadcast_all(first, second)
        setattr(self, self.names[0], first)
        setattr(self, self.names[1], second)
        shape = () if _tilewise.is_unknown(first) else first.shape
        Distribution.__init__(self, shape)

    @property
    def mean(self):
        return self.loc

    def expand(self, batch_shape, _instance=None):
        a, b = [getattr(self, n).expand(*batch_shape) for n in self.names]
        return type(self)(a, b)


class Normal(_Two):
    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.scale ** 2

    def rsample(self, sample_shape=()):
        if _tilewise.is_unknown(self.loc):
            return self.loc
        return self.loc + self._noise(sample_shape) * self.scale

    def log_prob(self, value):
        z = (value - self.loc) / self.scale
        return -0.5 * z ** 2 - self.scale.log() - _HALF_LOG

    def entropy(self):
        return 0.5 + _HALF_LOG + torch.log(self.scale)

    def cdf(self, value):
        return 0.5 * (1 + torch.erf((value - self.loc) / (self.scale * math.sqrt(2))))


class LogNormal(Normal):
    def rsample(self, sample_shape=()):
        return Normal.rsample(self, sample_shape).exp()

    def log_prob(self, value):
        return Normal.log_prob(self, value.log()) - value.log()

    @property
    def mean(self):
        return (self.loc + self.scale ** 2 / 2).exp()


class HalfNormal(Normal):
    def __init__(self, scale, validate_args=None):
        Normal.__init__(self, 0.0, scale)

    def rsample(self, sample_shape=()):
        return Normal.rsample(self, sample_shape).abs()

    def log_prob(self, value):
        return Normal.log_prob(self, value) + math.log(2)


class Laplace(_Two):
    @property
    def variance(self):
        return 2 * self.scale ** 2

    def rsample(self, sample_shape=()):
        u = self._noise(sample_shape, "uniform") - 0.5
        return self.loc - self.scale * u.sign() * torch.log1p(-2 * u.abs())

    def log_prob(self, value):
        return -torch.log(2 * self.scale) - (value - self.loc).abs() / self.scale

    def entropy(self):
        return 1 + torch.log(2 * self.scale)


class Gumbel(_Two):
    def rsample(self, sample_shape=()):
        u = self._noise(sample_shape, "uniform")
        return self.loc - self.scale * torch.log(-torch.log(u))

    def log_prob(self, value):
        z = (value - self.loc) / self.scale
        return -(z + torch.exp(-z)) - self.scale.log()


class Cauchy(_Two):
    def rsample(self, sample_shape=()):
        return self.loc + self.scale * torch.tan(math.pi * (self._noise(sample_shape,
                                                                        "uniform") - 0.5))

    def log_prob(self, value):
        return -math.log(math.pi) - self.scale.log() - \
            torch.log1p(((value - self.loc) / self.scale) ** 2)


class Uniform(_Two):
    names = ("low", "high")

    @property
    def mean(self):
        return (self.low + self.high) / 2

    @property
    def variance(self):
        return (self.high - self.low) ** 2 / 12

    def rsample(self, sample_shape=()):
        return self.low + self._noise(sample_shape, "uniform") * (self.high - self.low)

    def log_prob(self, value):
        return -torch.log(self.high - self.low) + 0 * value

    def entropy(self):
        return torch.log(self.high - self.low)


class Beta(_Two):
    names = ("concentration1", "concentration0")

    @property
    def mean(self):
        return self.concentration1 / (self.concentration1 + self.concentration0)

    def rsample(self, sample_shape=()):
        return self._noise(sample_shape, "uniform") * self.mean * 2

    def log_prob(self, value):
        a, b = self.concentration1, self.concentration0
        return (a - 1) * torch.log(value) + (b - 1) * torch.log1p(-value) + \
            torch.lgamma(a + b) - torch.lgamma(a) - torch.lgamma(b)

    def entropy(self):
        a, b = self.concentration1, self.concentration0
        return torch.lgamma(a) + torch.lgamma(b) - torch.lgamma(a + b) - \
            (a - 1) * torch.digamma(a) - (b - 1) * torch.digamma(b) + \
            (a + b - 2) * torch.digamma(a + b)


class Gamma(_Two):
    names = ("concentration", "rate")

    @property
    def mean(self):
        return self.concentration / self.rate

    def rsample(self, sample_shape=()):
        return self._noise(sample_shape, "uniform") * self.mean * 2

    def log_prob(self, value):
        a, r = self.concentration, self.rate
        return a * torch.log(r) + (a - 1) * torch.log(value) - r * value - torch.lgamma(a)


class Chi2(Gamma):
    def __init__(self, df, validate_args=None):
        Gamma.__init__(self, 0.5 * df, 0.5)


class VonMises(_Two):
    names = ("loc", "concentration")


class Exponential(_Two):
    names = ("rate", "_zero")

    def __init__(self, rate, validate_args=None):
        _Two.__init__(self, rate, 0.0)

    @property
    def mean(self):
        return 1 / self.rate

    def rsample(self, sample_shape=()):
        return -torch.log1p(-self._noise(sample_shape, "uniform")) / self.rate

    def log_prob(self, value):
        return self.rate.log() - self.rate * value

    def entropy(self):
        return 1 - torch.log(self.rate)


class StudentT(_Two):
    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        _Two.__init__(self, loc, scale)
        self.df = broadcast_all(df, self.loc)[0]

    def rsample(self, sample_shape=()):
        return self.loc + self.scale * self._noise(sample_shape)

    def log_prob(self, value):
        y = (value - self.loc) / self.scale
        return torch.lgamma(0.5 * (self.df + 1)) - torch.lgamma(0.5 * self.df) - \
            self.scale.log() - 0.5 * torch.log(self.df * math.pi) - \
            0.5 * (self.df + 1) * torch.log1p(y ** 2 / self.df)


class Dirichlet(Distribution):
    has_rsample = True

    def __init__(self, concentration, validate_args=None):
        self.concentration = concentration
        shape = tuple(concentration.shape)
        Distribution.__init__(self, shape[:-1], shape[-1:])

    @property
    def mean(self):
        return self.concentration / self.concentration.sum(-1, keepdim=True)

    def rsample(self, sample_shape=()):
        return torch.softmax(self._noise(sample_shape), -1)

    def log_prob(self, value):
        a = self.concentration
        return ((a - 1) * torch.log(value)).sum(-1) + torch.lgamma(a.sum(-1)) - \
            torch.lgamma(a).sum(-1)


class MultivariateNormal(Distribution):
    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None,
                 validate_args=None):
        self.loc, self.covariance_matrix, self.scale_tril = loc, covariance_matrix, scale_tril
        if scale_tril is None:
            self.scale_tril = covariance_matrix if covariance_matrix is not None \
                else precision_matrix
        shape = tuple(loc.shape)
        wide = tuple(self.scale_tril.shape)[:-1]
        if len(wide) > len(shape):
            shape = wide
        Distribution.__init__(self, shape[:-1], shape[-1:])

    @property
    def mean(self):
        return self.loc

    @property
    def variance(self):
        return (self.scale_tril ** 2).sum(-1)

    def rsample(self, sample_shape=()):
        noise = self._noise(sample_shape)
        return self.loc + (self.scale_tril @ noise.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value):
        difference = value - self.loc
        z = (self.scale_tril @ difference.unsqueeze(-1)).squeeze(-1)
        half = torch.log(self.scale_tril.diagonal(dim1=-2, dim2=-1)).sum(-1)
        return -0.5 * (z ** 2).sum(-1) - half - _HALF_LOG * self.event_shape[0]

    def entropy(self):
        half = torch.log(self.scale_tril.diagonal(dim1=-2, dim2=-1)).sum(-1)
        return half + self.event_shape[0] * (0.5 + _HALF_LOG)


class LowRankMultivariateNormal(MultivariateNormal):
    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        MultivariateNormal.__init__(self, loc, torch.diag_embed(cov_diag))
