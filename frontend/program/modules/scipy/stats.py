"""Distributions: the moments that initialisers divide by, and draws of a known shape."""

import math

from _tilewise_nothing import module
from numpy.random import normal


class _Distribution:
    _shapes = ()  # names of the parameters before loc and scale

    def _given(self, args, loc, scale, named):
        """(mean, variance, loc, scale) of what a call gives."""
        count = len(self._shapes)
        rest = list(args[count:]) + [loc, scale][len(args[count:]):]
        shapes = list(args[:count]) + [named[n] for n in self._shapes[len(args):]]
        return self._moments(*shapes) + tuple(rest)

    def rvs(self, *args, loc=0, scale=1, size=None, random_state=None, **named):
        return normal(loc, scale, size)

    def mean(self, *args, loc=0, scale=1, **named):
        mean, _, loc, scale = self._given(args, loc, scale, named)
        return loc + scale * mean

    def var(self, *args, loc=0, scale=1, **named):
        _, variance, loc, scale = self._given(args, loc, scale, named)
        return scale * scale * variance

    def std(self, *args, loc=0, scale=1, **named):
        return math.sqrt(self.var(*args, loc=loc, scale=scale, **named))

    def __call__(self, *args, **named):
        return _Frozen(self, args, named)


class _Frozen:
    def __init__(self, of, args, named):
        self._of, self._args, self._named = of, args, named

    def rvs(self, size=None, random_state=None):
        return normal(0.0, 1.0, size)

    def mean(self):
        return self._of.mean(*self._args, **self._named)

    def var(self):
        return self._of.var(*self._args, **self._named)

    def std(self):
        return self._of.std(*self._args, **self._named)


class _Norm(_Distribution):
    def _moments(self):
        return 0.0, 1.0


class _Uniform(_Distribution):
    def _moments(self):
        return 0.5, 1.0 / 12


class _Truncated(_Distribution):
    _shapes = ("a", "b")

    def _moments(self, a, b):
        def density(x):
            return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)

        def below(x):
            return (1 + math.erf(x / math.sqrt(2))) / 2
        mass = below(b) - below(a)
        mean = (density(a) - density(b)) / mass
        return mean, 1 + (a * density(a) - b * density(b)) / mass - mean * mean


norm, uniform, truncnorm = _Norm(), _Uniform(), _Truncated()
__getattr__ = module("scipy.stats")
