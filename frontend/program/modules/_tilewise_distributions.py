"""Distributions by their formulas, on the numbers of JAX or of TensorFlow.

make() is given what stands for the modules jax and jax.numpy, and whether a draw takes a key; it
returns the classes by name.
"""

import math

_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


def _sizes(shape):
    if len(getattr(shape, "shape", ())) == 1:  # a tensor of sizes
        return tuple(int(n) for n in shape)
    return tuple(int(n) for n in shape) if isinstance(shape, (list, tuple)) else (int(shape),)


def make(jax, jnp, keys=True):
    class Distribution:
        """Of `batch_shape` rows, each an event of `event_shape`."""

        event_shape = ()
        name = "Distribution"

        def __class_getitem__(cls, item):
            return cls

        def __init_subclass__(cls, **kw):
            cls.name = cls.__name__

        def _draw(self, key, shape):
            return jax.random.normal(key, shape)

        def sample(self, sample_shape=(), seed=None, **kw):
            if seed is None and keys:
                sample_shape, seed = (), kw.get("key", sample_shape)
            shape = _sizes(sample_shape) + tuple(self.batch_shape) + tuple(self.event_shape)
            return self._draw(seed, shape)

        def sample_and_log_prob(self, *, seed, sample_shape=()):
            x = self.sample(sample_shape, seed)
            return x, self.log_prob(x)

        experimental_sample_and_log_prob = sample_and_log_prob

        def prob(self, value):
            return jnp.exp(self.log_prob(value))

        def stddev(self):
            return jnp.sqrt(self.variance())

        def mode(self):
            return self.mean()

        def kl_divergence(self, other):
            return self.cross_entropy(other) - self.entropy()

        def cross_entropy(self, other):
            return -other.log_prob(self.mean())

    class Normal(Distribution):
        def __init__(self, loc, scale, *args, **kw):
            self.loc, self.scale = jnp.asarray(loc, jnp.float32), jnp.asarray(scale, jnp.float32)
            self.batch_shape = jnp.broadcast_shapes(self.loc.shape, self.scale.shape)

        def _draw(self, key, shape):
            return self.loc + self.scale * jax.random.normal(key, shape)

        def log_prob(self, value):
            z = (value - self.loc) / self.scale
            return -0.5 * z * z - _HALF_LOG_TWO_PI - jnp.log(self.scale)

        def entropy(self):
            return 0.5 + _HALF_LOG_TWO_PI + jnp.log(self.scale) + jnp.zeros(self.batch_shape)

        def mean(self):
            return self.loc

        def variance(self):
            return self.scale * self.scale

        def kl_divergence(self, other):
            ratio = self.scale / other.scale
            far = (self.loc - other.loc) / other.scale
            return 0.5 * (ratio * ratio + far * far - 1) - jnp.log(ratio)

    class MultivariateNormalDiag(Distribution):
        def __init__(self, loc=None, scale_diag=None, *args, **kw):
            self.loc = jnp.zeros_like(scale_diag) if loc is None else loc
            self.scale_diag = jnp.ones_like(self.loc) if scale_diag is None else scale_diag
            whole = jnp.broadcast_shapes(self.loc.shape, self.scale_diag.shape)
            self.batch_shape, self.event_shape = tuple(whole[:-1]), tuple(whole[-1:])
            self._parts = Normal(self.loc, self.scale_diag)

        def _draw(self, key, shape):
            return self._parts._draw(key, shape)

        def log_prob(self, value):
            return jnp.sum(self._parts.log_prob(value), -1)

        def entropy(self):
            return jnp.sum(self._parts.entropy(), -1)

        def mean(self):
            return self._parts.mean()

        def stddev(self):
            return self.scale_diag

        def variance(self):
            return self.scale_diag * self.scale_diag

        def kl_divergence(self, other):
            return jnp.sum(self._parts.kl_divergence(other._parts), -1)

    class MultivariateNormalTriL(MultivariateNormalDiag):
        """Its scale is a matrix, which mixes the parts of a draw."""

        def __init__(self, loc=None, scale_tril=None, *args, **kw):
            first = jnp.sum(scale_tril, -1)
            super().__init__(jnp.zeros_like(first) if loc is None else loc, jnp.ones_like(first))
            self._matrix = scale_tril

        def _mixed(self, x):
            return jnp.sum(self._matrix * jnp.expand_dims(x, -2), -1)

        def _draw(self, key, shape):
            return self.loc + self._mixed(jax.random.normal(key, shape))

        def log_prob(self, value):
            return super().log_prob(self.loc + self._mixed(value - self.loc))

    MultivariateNormalFullCovariance = MultivariateNormalTri = MultivariateNormalTriL

    class TruncatedNormal(Normal):
        def __init__(self, loc=0.0, scale=1.0, low=-1.0, high=1.0, *args, **kw):
            super().__init__(loc, scale)

    class LogNormal(Normal):
        def _draw(self, key, shape):
            return jnp.exp(super()._draw(key, shape))

        def log_prob(self, value):
            far = jnp.log(value)
            return super().log_prob(far) - far

        def mean(self):
            return jnp.exp(self.loc + 0.5 * self.scale * self.scale)

    class StudentT(Normal):
        def __init__(self, df=1.0, loc=0.0, scale=1.0, *args, **kw):
            super().__init__(loc, scale)
            self.df = df

        def log_prob(self, value):
            z = (value - self.loc) / self.scale
            return -0.5 * (self.df + 1.0) * jnp.log1p(z * z / self.df) - jnp.log(self.scale)

    class Cauchy(StudentT):
        def __init__(self, loc=0.0, scale=1.0, *args, **kw):
            super().__init__(1.0, loc, scale)

    class HalfNormal(Normal):
        def __init__(self, scale=1.0, *args, **kw):
            super().__init__(jnp.zeros_like(jnp.asarray(scale, jnp.float32)), scale)

        def _draw(self, key, shape):
            return jnp.abs(super()._draw(key, shape))

    class Exponential(Distribution):
        def __init__(self, rate=1.0, *args, **kw):
            self.rate = jnp.asarray(rate, jnp.float32)
            self.batch_shape = tuple(self.rate.shape)

        def _draw(self, key, shape):
            return -jnp.log(jax.random.uniform(key, shape)) / self.rate

        def log_prob(self, value):
            return jnp.log(self.rate) - self.rate * value

        def entropy(self):
            return 1.0 - jnp.log(self.rate)

        def mean(self):
            return 1.0 / self.rate

    class Poisson(Exponential):
        def __init__(self, rate=None, log_rate=None, *args, **kw):
            super().__init__(jnp.exp(log_rate) if rate is None else rate)

        def log_prob(self, value):
            return value * jnp.log(self.rate) - self.rate

        def mean(self):
            return self.rate

    class Categorical(Distribution):
        def __init__(self, logits=None, probs=None, dtype=None, **kw):
            self._given = logits is None
            self.logits = jax.nn.log_softmax(logits, -1) if logits is not None else jnp.log(probs)
            self.batch_shape = tuple(self.logits.shape[:-1])
            self.num_categories = self.logits.shape[-1]

        @property
        def probs(self):
            return jax.nn.softmax(self.logits, -1)

        def probs_parameter(self):
            return self.probs

        def logits_parameter(self):
            return self.logits

        def _draw(self, key, shape):
            return jax.random.categorical(key, self.logits, shape=shape)

        def log_prob(self, value):
            value = jnp.asarray(value, jnp.int32)
            return jnp.take_along_axis(self.logits, value[..., None], -1)[..., 0]

        def entropy(self):
            return -jnp.sum(self.probs * self.logits, -1)

        def mode(self):
            return jnp.argmax(self.logits, -1)

        def mean(self):
            return jnp.sum(self.probs * jnp.arange(self.num_categories), -1)

        def kl_divergence(self, other):
            return jnp.sum(self.probs * (self.logits - other.logits), -1)

    class OneHotCategorical(Categorical):
        def __init__(self, logits=None, probs=None, dtype=None, **kw):
            super().__init__(logits, probs)
            self.event_shape = (self.num_categories,)

        def _draw(self, key, shape):
            chosen = jax.random.categorical(key, self.logits, shape=shape[:-1])
            return jax.nn.one_hot(chosen, self.num_categories)

        def log_prob(self, value):
            return jnp.sum(value * self.logits, -1)

        def mode(self):
            return jax.nn.one_hot(jnp.argmax(self.logits, -1), self.num_categories)

    OneHotCategoricalStraightThrough = OneHotCategorical

    class RelaxedOneHotCategorical(OneHotCategorical):
        def __init__(self, temperature=1.0, logits=None, probs=None, *args, **kw):
            super().__init__(logits, probs)
            self.temperature = temperature

        def _draw(self, key, shape):
            noise = -jnp.log(-jnp.log(jax.random.uniform(key, shape)))
            return jax.nn.softmax((self.logits + noise) / self.temperature, -1)

    ExpRelaxedOneHotCategorical = RelaxedOneHotCategorical

    class Greedy(Categorical):
        def __init__(self, preferences, *args, **kw):
            super().__init__(logits=preferences)

    class EpsilonGreedy(Categorical):
        def __init__(self, preferences, epsilon=0.0, *args, **kw):
            super().__init__(logits=preferences)

    Softmax = Greedy

    class Bernoulli(Distribution):
        def __init__(self, logits=None, probs=None, dtype=None, **kw):
            self.logits = logits if logits is not None else jnp.log(probs) - jnp.log1p(-probs)
            self.batch_shape = tuple(self.logits.shape)

        @property
        def probs(self):
            return jax.nn.sigmoid(self.logits)

        def _draw(self, key, shape):
            return jnp.asarray(jax.random.uniform(key, shape) < self.probs, jnp.int32)

        def log_prob(self, value):
            return value * jax.nn.log_sigmoid(self.logits) + \
                (1 - value) * jax.nn.log_sigmoid(-self.logits)

        def entropy(self):
            return -self.probs * jax.nn.log_sigmoid(self.logits) - \
                (1 - self.probs) * jax.nn.log_sigmoid(-self.logits)

        def mean(self):
            return self.probs

        def variance(self):
            return self.probs * (1 - self.probs)

        def mode(self):
            return jnp.asarray(self.probs > 0.5, jnp.int32)

    class Uniform(Distribution):
        def __init__(self, low=0.0, high=1.0, **kw):
            self.low, self.high = jnp.asarray(low, jnp.float32), jnp.asarray(high, jnp.float32)
            self.batch_shape = jnp.broadcast_shapes(self.low.shape, self.high.shape)

        def _draw(self, key, shape):
            return self.low + (self.high - self.low) * jax.random.uniform(key, shape)

        def log_prob(self, value):
            return jnp.zeros_like(value) - jnp.log(self.high - self.low)

        def entropy(self):
            return jnp.log(self.high - self.low)

        def mean(self):
            return 0.5 * (self.low + self.high)

    class _Positive(Distribution):
        """Of two parameters; samples are drawn as normal ones, of the same shape and cost."""

        def __init__(self, first=None, second=None, **kw):
            given = [v for v in (first, second) + tuple(kw.values()) if v is not None]
            self._a = jnp.asarray(given[0], jnp.float32)
            self._b = jnp.asarray(given[1] if len(given) > 1 else 1.0, jnp.float32)
            self.batch_shape = jnp.broadcast_shapes(self._a.shape, self._b.shape)

        def mean(self):
            return self._a / (self._a + self._b)

        def variance(self):
            return self._a * self._b

        def log_prob(self, value):
            return (self._a - 1) * jnp.log(value) + (self._b - 1) * jnp.log1p(-value)

        def entropy(self):
            return jnp.log(self._a) + jnp.log(self._b)

    class Beta(_Positive):
        pass

    class Gamma(_Positive):
        def log_prob(self, value):
            return (self._a - 1) * jnp.log(value) - self._b * value

    class Laplace(_Positive):
        def log_prob(self, value):
            return -jnp.abs(value - self._a) / self._b - jnp.log(2 * self._b)

        def mean(self):
            return self._a + jnp.zeros(self.batch_shape)

    class Logistic(Laplace):
        pass

    class Deterministic(Distribution):
        def __init__(self, loc, **kw):
            self.loc = loc
            self.batch_shape = tuple(loc.shape)

        def _draw(self, key, shape):
            return jnp.broadcast_to(self.loc, shape)

        def log_prob(self, value):
            return jnp.zeros_like(value)

        def entropy(self):
            return jnp.zeros_like(self.loc)

        def mean(self):
            return self.loc

    class _Around(Distribution):
        """Another distribution, whose answers are those of the one inside."""

        @property
        def batch_shape(self):
            return self.distribution.batch_shape

        @property
        def event_shape(self):
            return self.distribution.event_shape

        def _draw(self, key, shape):
            return self.distribution._draw(key, shape)

        def __getattr__(self, name):
            if name[:2] == "__" or "distribution" not in self.__dict__:
                raise AttributeError(name)
            return getattr(self.__dict__["distribution"], name)

        def mean(self):
            return self.distribution.mean()

        def variance(self):
            return self.distribution.variance()

        def mode(self):
            return self.distribution.mode()

        def log_prob(self, value):
            return self.distribution.log_prob(value)

        def entropy(self):
            return self.distribution.entropy()

    class Independent(_Around):
        def __init__(self, distribution, reinterpreted_batch_ndims=None, **kw):
            self.distribution = distribution
            rank = len(distribution.batch_shape)
            n = max(rank - 1, 0) if reinterpreted_batch_ndims is None else reinterpreted_batch_ndims
            self._dims = tuple(range(-n, 0))

        @property
        def batch_shape(self):
            whole = tuple(self.distribution.batch_shape)
            return whole[:len(whole) - len(self._dims)]

        @property
        def event_shape(self):
            whole = tuple(self.distribution.batch_shape)
            return whole[len(whole) - len(self._dims):] + tuple(self.distribution.event_shape)

        def log_prob(self, value):
            x = self.distribution.log_prob(value)
            return jnp.sum(x, self._dims) if self._dims else x

        def entropy(self):
            x = self.distribution.entropy()
            return jnp.sum(x, self._dims) if self._dims else x

        def kl_divergence(self, other):
            x = self.distribution.kl_divergence(other.distribution)
            return jnp.sum(x, self._dims) if self._dims else x

    class Transformed(_Around):
        def __init__(self, distribution, bijector, **kw):
            self.distribution, self.bijector = distribution, bijector

        def _draw(self, key, shape):
            return self.bijector.forward(self.distribution._draw(key, shape))

        def mode(self):
            return self.bijector.forward(self.distribution.mode())

        def log_prob(self, value):
            x = self.bijector.inverse(value)
            change = self.bijector.forward_log_det_jacobian(x)
            inner = self.distribution.log_prob(x)
            if len(change.shape) > len(inner.shape):
                change = jnp.sum(change, tuple(range(len(inner.shape) - len(change.shape), 0)))
            return inner - change

    class MixtureSameFamily(_Around):
        def __init__(self, mixture_distribution=None, components_distribution=None, **kw):
            self.mixture, self.distribution = mixture_distribution, components_distribution

        @property
        def batch_shape(self):
            return tuple(self.mixture.batch_shape)

        def _draw(self, key, shape):
            return jax.random.normal(key, shape)

        def log_prob(self, value):
            parts = self.distribution.log_prob(jnp.expand_dims(value, -1 - len(self.event_shape)))
            return jax.scipy.special.logsumexp(parts + self.mixture.logits, axis=-1)

    return {name: value for name, value in locals().items() if isinstance(value, type)}
