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
