"""numpy.random: a number that decides something on the host is its mean; arrays are shapes."""

import inspect
import math

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


def _rows(width, size, kind=float64):
    if _tilewise.is_unknown(width):
        return width
    return ndarray(([] if size is None else _tilewise.dims((size,))) + [width], kind)


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

    def _of_mean(mean):
        def draw(self, *args, size=None, **kw):
            takes = draw.takes
            size = args[takes] if len(args) > takes else size
            return _made(mean(*args[:takes], **kw), size)
        draw.takes = len(inspect.signature(mean).parameters)
        return draw

    poisson = _of_mean(lambda lam=1.0: lam)
    exponential = _of_mean(lambda scale=1.0: scale)
    gamma = _of_mean(lambda shape, scale=1.0: shape * scale)
    standard_gamma = _of_mean(lambda shape: shape)
    laplace = _of_mean(lambda loc=0.0, scale=1.0: loc)
    logistic = gumbel = laplace
    lognormal = _of_mean(lambda mean=0.0, sigma=1.0: math.exp(mean + sigma * sigma / 2))
    triangular = _of_mean(lambda left, mode, right: (left + mode + right) / 3)
    geometric = _of_mean(lambda p: 1.0 / p)
    chisquare = _of_mean(lambda df: df)
    vonmises = _of_mean(lambda mu, kappa: mu)
    standard_t = _of_mean(lambda df: 0.0)
    standard_exponential = _of_mean(lambda: 1.0)

    def dirichlet(self, alpha, size=None):
        return _rows(len(alpha), size)

    def multinomial(self, n, pvals, size=None):
        return _rows(len(pvals), size, int64)

    def multivariate_normal(self, mean, cov, size=None, **options):
        return _rows(len(mean), size)

    def random_integers(self, low, high=None, size=None):
        return self.randint(low, high, size)

    def bytes(self, length):
        return _tilewise.unknown("random bytes")

    def spawn(self, n_children):
        return [self] * n_children

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


class SeedSequence:
    def __init__(self, entropy=None, **options):
        self.entropy = entropy

    def spawn(self, n_children):
        return [SeedSequence(self.entropy) for _ in range(n_children)]


PCG64 = Philox = MT19937 = SFC64 = SeedSequence


def __getattr__(name):
    if name[:1] != "_" and hasattr(RandomState, name):
        return getattr(_shared, name)
    raise AttributeError(name)
