"""numpy.random: a number that decides something on the host is its mean; arrays are shapes."""

import _tilewise
from . import _LIMIT, array, float64, full, int64, ndarray


def _made(mean, size, kind=float64):
    if size is None:
        return mean
    shape = _tilewise.dims((size,))
    n = 1
    for k in shape:
        n *= k
    if isinstance(mean, ndarray) or _tilewise.is_unknown(mean):
        return ndarray(shape, kind)
    if len(shape) == 1 and n <= 64:
        return full(shape, mean, kind)
    x = ndarray(shape, kind)
    if len(shape) == 1:
        x._mean = mean
    return x


class RandomState:
    def __init__(self, seed=None):
        pass

    def seed(self, seed=None):
        pass

    def rand(self, *size):
        return _made(0.5, size or None)

    def randn(self, *size):
        return _made(0.0, size or None)

    def random(self, size=None, dtype=None):
        return _made(0.5, size)

    def uniform(self, low=0.0, high=1.0, size=None):
        return _made((low + high) / 2, size) if not isinstance(low, ndarray) else low

    def normal(self, loc=0.0, scale=1.0, size=None):
        return _made(loc, size)

    def standard_normal(self, size=None, dtype=None):
        return _made(0.0, size)

    def randint(self, low, high=None, size=None, dtype=int64):
        return _made(0 if high is None else low, size, dtype)

    def integers(self, low, high=None, size=None, dtype=int64, endpoint=False):
        return _made(0 if high is None else low, size, dtype)

    def beta(self, a, b, size=None):
        return _made(a / (a + b), size)

    def binomial(self, n, p, size=None):
        return _made(int(n * p), size, int64)

    def choice(self, a, size=None, replace=True, p=None):
        if _tilewise.is_unknown(a) or _tilewise.is_unknown(size):
            return a if _tilewise.is_unknown(a) else size
        if not isinstance(a, int) and len(a) == 0:
            return _tilewise.unknown("a choice among what files hold")
        first = 0 if isinstance(a, int) else a[0]
        if size is None:
            return first
        if isinstance(size, int) and isinstance(a, (list, tuple)) and \
                _tilewise.is_unknown(first):
            return [first] * size
        if not replace and isinstance(size, int) and not isinstance(a, int):
            return array(a)[:size]
        if isinstance(first, int):
            return _made(first, size, int64)
        return _made(first, size) if isinstance(first, float) else a[:size]

    def permutation(self, x):
        if _tilewise.is_unknown(x):
            return ndarray([x], int64)
        return _made(0, x, int64) if isinstance(x, int) and x > _LIMIT else \
            array(list(range(x)), int64) if isinstance(x, int) else array(x)

    def shuffle(self, x):
        pass

    def get_state(self):
        return None

    set_state = get_state_ = seed


Generator = RandomState
_shared = RandomState()
seed, rand, randn, random, uniform, normal, randint, choice, permutation, shuffle, beta = (
    _shared.seed, _shared.rand, _shared.randn, _shared.random, _shared.uniform, _shared.normal,
    _shared.randint, _shared.choice, _shared.permutation, _shared.shuffle, _shared.beta)
standard_normal, binomial, get_state, set_state = (
    _shared.standard_normal, _shared.binomial, _shared.get_state, _shared.seed)
random_sample = ranf = sample = random


def default_rng(seed=None):
    return RandomState(seed)
