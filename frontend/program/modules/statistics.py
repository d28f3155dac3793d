"""Means and spreads."""


class StatisticsError(ValueError):
    pass


def _values(data):
    data = list(data)
    if not data:
        raise StatisticsError("at least one data point is needed")
    return data


def _ratio(total, n):
    if isinstance(total, int) and total % n == 0:
        return total // n
    return total / n


def mean(data):
    data = _values(data)
    return _ratio(sum(data), len(data))


def fmean(data, weights=None):
    data = _values(data)
    return float(sum(data) / len(data))


def median(data):
    data = sorted(_values(data))
    n = len(data)
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    data = sorted(_values(data))
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = sorted(_values(data))
    return data[len(data) // 2]


def mode(data):
    data = _values(data)
    return max(data, key=data.count)


def pvariance(data, mu=None):
    data = _values(data)
    m = mean(data) if mu is None else mu
    return _ratio(sum([(x - m) ** 2 for x in data]), len(data))


def variance(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError("at least two data points are needed")
    m = mean(data) if xbar is None else xbar
    return _ratio(sum([(x - m) ** 2 for x in data]), len(data) - 1)


def stdev(data, xbar=None):
    return variance(data, xbar) ** 0.5


def pstdev(data, mu=None):
    return pvariance(data, mu) ** 0.5


def geometric_mean(data):
    data = _values(data)
    product = 1.0
    for x in data:
        product *= x ** (1 / len(data))
    return product


def harmonic_mean(data, weights=None):
    data = _values(data)
    return len(data) / sum([1 / x for x in data])
