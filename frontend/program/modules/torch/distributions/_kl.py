"""Kullback-Leibler divergences."""

import _tilewise
import torch
from ._base import Independent, _registered, summed
from ._continuous import Beta, Laplace, MultivariateNormal, Normal, Uniform
from ._discrete import Bernoulli, Categorical


def _normal(p, q):
    ratio = (p.scale / q.scale) ** 2
    apart = ((p.loc - q.loc) / q.scale) ** 2
    return 0.5 * (ratio + apart - 1 - ratio.log())


def _multivariate(p, q):
    apart = ((p.loc - q.loc) ** 2).sum(-1)
    traces = (p.scale_tril * q.scale_tril).sum(-1).sum(-1)
    return 0.5 * (apart + traces - p.event_shape[0])


def _bernoulli(p, q):
    a, b = p.probs, q.probs
    return a * (torch.log(a) - torch.log(b)) + \
        (1 - a) * (torch.log1p(-a) - torch.log1p(-b))


def _laplace(p, q):
    ratio, apart = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + ratio * torch.exp(-apart / p.scale) + apart / q.scale - 1


def kl_divergence(p, q):
    if _tilewise.is_unknown(p) or _tilewise.is_unknown(q):
        return _tilewise.unknown("a divergence of distributions")
    for (a, b), function in _registered.items():
        if isinstance(p, a) and isinstance(q, b):
            return function(p, q)
    if isinstance(p, Independent) and isinstance(q, Independent):
        return summed(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)
    if isinstance(p, Normal) and isinstance(q, Normal):
        return _normal(p, q)
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        return (p.probs * (p.logits - q.logits)).sum(-1)
    if isinstance(p, Bernoulli) and isinstance(q, Bernoulli):
        return _bernoulli(p, q)
    if isinstance(p, Laplace) and isinstance(q, Laplace):
        return _laplace(p, q)
    if isinstance(p, MultivariateNormal) and isinstance(q, MultivariateNormal):
        return _multivariate(p, q)
    return p.entropy() * -1 - q.log_prob(p.rsample())
