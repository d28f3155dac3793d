"""What all distributions have."""

import _tilewise
from .._tensor import Tensor, broadcast_shapes, tensor
import torch


def broadcast_all(*values):
    """Tensors of one shape, of numbers and tensors."""
    made = [v if isinstance(v, Tensor) or _tilewise.is_unknown(v) else tensor(float(v))
            for v in values]
    for v in made:
        if _tilewise.is_unknown(v):
            return tuple([v] * len(made))
    shape = broadcast_shapes(*[m.shape for m in made])
    return tuple([m if tuple(m.shape) == tuple(shape) else m.expand(*shape) for m in made])


def size_of(sample_shape):
    if isinstance(sample_shape, int):
        return [sample_shape]
    return list(sample_shape)


class Distribution:
    has_rsample = False
    _event = 0  # dims of one draw

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape, self._event_shape = tuple(batch_shape), tuple(event_shape)

    @staticmethod
    def set_default_validate_args(value):
        pass

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    def _whole(self, sample_shape):
        return size_of(sample_shape) + list(self.batch_shape) + list(self.event_shape)

    def _noise(self, sample_shape, kind="normal"):
        shape = self._whole(sample_shape)
        return torch.randn(*shape) if kind == "normal" else torch.rand(*shape)

    def sample(self, sample_shape=()):
        return self.rsample(sample_shape).detach()

    def rsample(self, sample_shape=()):
        return self._noise(sample_shape)

    def sample_n(self, n):
        return self.sample((n,))

    @property
    def stddev(self):
        return self.variance.sqrt()

    @property
    def mode(self):
        return self.mean

    def perplexity(self):
        return torch.exp(self.entropy())

    def log_prob(self, value):
        return _tilewise.unknown("a density")

    def cdf(self, value):
        return _tilewise.unknown("a distribution function")

    icdf = cdf

    def entropy(self):
        return _tilewise.unknown("an entropy")

    def expand(self, batch_shape, _instance=None):
        return self

    def __repr__(self):
        return type(self).__name__ + "()"


class ExponentialFamily(Distribution):
    pass


def summed(value, dims):
    for _ in range(dims):
        value = value.sum(-1)
    return value


class Independent(Distribution):
    """The last dims of the batch belong to one draw."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        self.base_dist, self.reinterpreted_batch_ndims = (
            base_distribution, reinterpreted_batch_ndims)
        whole = tuple(base_distribution.batch_shape) + tuple(base_distribution.event_shape)
        event = len(base_distribution.event_shape) + reinterpreted_batch_ndims
        at = len(whole) - event
        Distribution.__init__(self, whole[:at], whole[at:])

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return summed(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return summed(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def __getattr__(self, name):
        if name[:2] == "__" or name == "base_dist":
            raise AttributeError(name)
        return getattr(self.base_dist, name)

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def mode(self):
        return self.base_dist.mode

    @property
    def variance(self):
        return self.base_dist.variance


class TransformedDistribution(Distribution):
    def __init__(self, base_distribution, transforms, validate_args=None):
        self.base_dist = base_distribution
        self.transforms = list(transforms) if isinstance(transforms, (list, tuple)) \
            else [transforms]
        Distribution.__init__(self, base_distribution.batch_shape, base_distribution.event_shape)

    def rsample(self, sample_shape=()):
        x = self.base_dist.rsample(sample_shape)
        for t in self.transforms:
            x = t(x)
        return x

    def log_prob(self, value):
        total, y = 0.0, value
        for t in reversed(self.transforms):
            x = t.inv(y)
            total = total - t.log_abs_det_jacobian(x, y)
            y = x
        return self.base_dist.log_prob(y) + total

    @property
    def mean(self):
        return _tilewise.unknown("the mean of a transformed distribution")


class MixtureSameFamily(Distribution):
    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self.mixture_distribution, self.component_distribution = (
            mixture_distribution, component_distribution)
        Distribution.__init__(self, component_distribution.batch_shape[:-1],
                              component_distribution.event_shape)

    def log_prob(self, value):
        at = -1 - len(self.event_shape)
        inner = self.component_distribution.log_prob(value.unsqueeze(at))
        return torch.logsumexp(inner + torch.log_softmax(self.mixture_distribution.logits, -1), -1)

    @property
    def mean(self):
        at = -1 - len(self.event_shape)
        shares = self.mixture_distribution.probs
        for _ in self.event_shape:
            shares = shares.unsqueeze(-1)
        return (shares * self.component_distribution.mean).sum(at)


def register_kl(type_p, type_q):
    def keep(function):
        _registered[(type_p, type_q)] = function
        return function
    return keep


_registered = {}
