"""Distributions of whole numbers."""

import _tilewise
import torch
from ._base import Distribution, broadcast_all, size_of


class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        given = probs if probs is not None else logits
        self._given = given
        if _tilewise.is_unknown(given):
            self._probs, self._logits = given, given
            Distribution.__init__(self)
            return
        if probs is not None:
            self._probs, self._logits = probs / probs.sum(-1, keepdim=True), None
        else:
            self._probs, self._logits = None, logits - logits.logsumexp(-1, keepdim=True)
        Distribution.__init__(self, given.shape[:-1])
        self._num_events = given.shape[-1]

    @property
    def probs(self):
        if self._probs is None:
            self._probs = torch.softmax(self._logits, -1)
        return self._probs

    @property
    def logits(self):
        if self._logits is None:
            self._logits = torch.log(self._probs.clamp(min=1e-7))
        return self._logits

    @property
    def param_shape(self):
        return self._given.shape

    def sample(self, sample_shape=()):
        if _tilewise.is_unknown(self._given):
            return self._given
        drawn = torch.rand(*(size_of(sample_shape) + list(self._given.shape))) * self.probs
        return drawn.argmax(-1)

    rsample = sample

    def log_prob(self, value):
        if _tilewise.is_unknown(value) or _tilewise.is_unknown(self._given):
            return value
        value = value.long()
        logits = self.logits
        if value.dim() + 1 > logits.dim():
            logits = logits.expand(*(list(value.shape) + [logits.shape[-1]]))
        elif list(value.shape) != list(logits.shape[:-1]):
            value = value.expand(*logits.shape[:-1])
        return logits.gather(-1, value.unsqueeze(-1)).squeeze(-1)

    def entropy(self):
        return -(self.probs * self.logits).sum(-1)

    @property
    def mode(self):
        return self.probs.argmax(-1)


class OneHotCategorical(Categorical):
    def __init__(self, probs=None, logits=None, validate_args=None):
        Categorical.__init__(self, probs, logits)
        self._event_shape = tuple(self._given.shape[-1:])

    def sample(self, sample_shape=()):
        drawn = Categorical.sample(self, sample_shape)
        return torch.nn.functional.one_hot(drawn, self._num_events).float()

    @property
    def mean(self):
        return self.probs

    def log_prob(self, value):
        return Categorical.log_prob(self, value.argmax(-1))


class OneHotCategoricalStraightThrough(OneHotCategorical):
    has_rsample = True

    def rsample(self, sample_shape=()):
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


class RelaxedOneHotCategorical(OneHotCategorical):
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        OneHotCategorical.__init__(self, probs, logits)
        self.temperature = temperature

    def rsample(self, sample_shape=()):
        noise = torch.rand(*(size_of(sample_shape) + list(self._given.shape)))
        return torch.softmax((self.logits - torch.log(-torch.log(noise))) / self.temperature, -1)

    sample = rsample


class Bernoulli(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        self._probs = None if probs is None else broadcast_all(probs)[0]
        self._logits = None if logits is None else broadcast_all(logits)[0]
        given = self._logits if self._probs is None else self._probs
        self._given = given
        Distribution.__init__(self, () if _tilewise.is_unknown(given) else given.shape)

    @property
    def probs(self):
        return torch.sigmoid(self._logits) if self._probs is None else self._probs

    @property
    def logits(self):
        return self._logits if self._probs is None else \
            torch.log(self._probs) - torch.log1p(-self._probs)

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    @property
    def mode(self):
        return (self.probs >= 0.5).float()

    def sample(self, sample_shape=()):
        return (self._noise(sample_shape, "uniform") < self.probs).float()

    rsample = sample

    def log_prob(self, value):
        logits = self.logits
        value = value + 0 * logits
        return -torch.nn.functional.binary_cross_entropy_with_logits(
            logits + 0 * value, value, reduction="none")

    def entropy(self):
        return torch.nn.functional.binary_cross_entropy_with_logits(
            self.logits, self.probs, reduction="none")


class RelaxedBernoulli(Bernoulli):
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        Bernoulli.__init__(self, probs, logits)
        self.temperature = temperature

    def rsample(self, sample_shape=()):
        u = self._noise(sample_shape, "uniform")
        noise = torch.log(u) - torch.log1p(-u)
        return torch.sigmoid((noise + self.logits) / self.temperature)

    sample = rsample


class Geometric(Bernoulli):
    def log_prob(self, value):
        return value * torch.log1p(-self.probs) + torch.log(self.probs)


class Poisson(Distribution):
    def __init__(self, rate, validate_args=None):
        self.rate = broadcast_all(rate)[0]
        Distribution.__init__(self, self.rate.shape)

    @property
    def mean(self):
        return self.rate

    def sample(self, sample_shape=()):
        return (self._noise(sample_shape, "uniform") * self.rate * 2).floor()

    def log_prob(self, value):
        return value * torch.log(self.rate) - self.rate - torch.lgamma(value + 1)


class Binomial(Bernoulli):
    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        Bernoulli.__init__(self, probs, logits)
        self.total_count = total_count

    def log_prob(self, value):
        n = self.total_count
        return torch.lgamma(value * 0 + n + 1) - torch.lgamma(value + 1) - \
            torch.lgamma(n - value + 1) + value * self.logits - \
            n * torch.nn.functional.softplus(self.logits)


class NegativeBinomial(Bernoulli):
    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        Bernoulli.__init__(self, probs, logits)
        self.total_count = total_count

    @property
    def mean(self):
        return self.total_count * torch.exp(self.logits)

    def log_prob(self, value):
        n = self.total_count
        f = torch.nn.functional
        return n * f.logsigmoid(-self.logits) + value * f.logsigmoid(self.logits) + \
            torch.lgamma(n + value) - torch.lgamma(1.0 + value) - torch.lgamma(n + value * 0)


class Multinomial(Categorical):
    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        Categorical.__init__(self, probs, logits)
        self.total_count = total_count
        self._event_shape = tuple(self._given.shape[-1:])

    def sample(self, sample_shape=()):
        return torch.rand(*(size_of(sample_shape) + list(self._given.shape))) * self.probs

    def log_prob(self, value):
        return torch.lgamma(value.sum(-1) + 1) - torch.lgamma(value + 1).sum(-1) + \
            (self.logits * value).sum(-1)
