"""jax.scipy.stats: densities of the normal and a few others."""

import math

from jax._core import as_array, binary, unary


class norm:
    @staticmethod
    def logpdf(x, loc=0.0, scale=1.0):
        z = binary("divide", binary("subtract", x, loc), scale)
        r = binary("multiply", binary("multiply", z, z), -0.5)
        r = binary("subtract", r, unary("log", as_array(scale, None) * 1.0))
        return binary("subtract", r, 0.5 * math.log(2 * math.pi))

    @staticmethod
    def pdf(x, loc=0.0, scale=1.0):
        return unary("exp", norm.logpdf(x, loc, scale))

    @staticmethod
    def cdf(x, loc=0.0, scale=1.0):
        return unary("erf", binary("divide", binary("subtract", x, loc), scale))


class bernoulli:
    @staticmethod
    def logpmf(k, p, loc=0):
        from jax.scipy.special import xlogy
        return binary("add", xlogy(k, p), xlogy(binary("subtract", 1, k),
                                                binary("subtract", 1.0, p)))


class multivariate_normal:
    @staticmethod
    def logpdf(x, mean, cov):
        z = binary("subtract", x, mean)
        from jax._core import reduce
        return binary("multiply", reduce("sum", binary("multiply", z, z), -1), -0.5)


def _z(x, loc, scale):
    return binary("divide", binary("subtract", x, loc), scale)


def _less_log(r, scale):
    return binary("subtract", r, unary("log", as_array(scale, None) * 1.0))


class _Density:
    @classmethod
    def pdf(cls, *args, **kw):
        return unary("exp", cls.logpdf(*args, **kw))

    @classmethod
    def pmf(cls, *args, **kw):
        return unary("exp", cls.logpmf(*args, **kw))


class expon(_Density):
    @staticmethod
    def logpdf(x, loc=0.0, scale=1.0):
        return _less_log(unary("negate", _z(x, loc, scale)), scale)


class laplace(_Density):
    @staticmethod
    def logpdf(x, loc=0.0, scale=1.0):
        return _less_log(unary("negate", unary("abs", _z(x, loc, scale))), scale)


class logistic(_Density):
    @staticmethod
    def logpdf(x, loc=0.0, scale=1.0):
        z = _z(x, loc, scale)
        far = unary("log1p", unary("exp", unary("negate", z)))
        r = binary("subtract", unary("negate", z), binary("multiply", far, 2.0))
        return _less_log(r, scale)


class uniform(_Density):
    @staticmethod
    def logpdf(x, loc=0.0, scale=1.0):
        return _less_log(binary("multiply", _z(x, loc, scale), 0.0), scale)


class t(_Density):
    @staticmethod
    def logpdf(x, df, loc=0.0, scale=1.0):
        z = _z(x, loc, scale)
        far = unary("log1p", binary("divide", binary("multiply", z, z), df))
        return _less_log(binary("multiply", far, -0.5), scale)


class cauchy(_Density):
    @staticmethod
    def logpdf(x, loc=0.0, scale=1.0):
        return t.logpdf(x, 1.0, loc, scale)


class gamma(_Density):
    @staticmethod
    def logpdf(x, a, loc=0.0, scale=1.0):
        from jax.scipy.special import gammaln, xlogy
        z = _z(x, loc, scale)
        r = binary("subtract", xlogy(binary("subtract", a, 1.0), z), z)
        return _less_log(binary("subtract", r, gammaln(a)), scale)


class beta(_Density):
    @staticmethod
    def logpdf(x, a, b, loc=0.0, scale=1.0):
        from jax.scipy.special import betaln, xlogy
        z = _z(x, loc, scale)
        r = binary("add", xlogy(binary("subtract", a, 1.0), z),
                   xlogy(binary("subtract", b, 1.0), binary("subtract", 1.0, z)))
        return binary("subtract", r, betaln(a, b))


class poisson(_Density):
    @staticmethod
    def logpmf(k, mu, loc=0):
        from jax.scipy.special import gammaln, xlogy
        r = binary("subtract", xlogy(k, mu), mu)
        return binary("subtract", r, gammaln(binary("add", k, 1.0)))
