"""Random values: one draw of them stands for all. Where they decide something the program is
read as that draw has it."""

_state = [12345]


def _next():
    """The next of a fixed row of numbers below one."""
    _state[0] = (_state[0] * 1103515245 + 12345) % 2147483648
    return _state[0] / 2147483648


def _not_known(*values):
    import _tilewise
    for v in values:
        if _tilewise.is_unknown(v):
            return v
    return None


class Random:
    def __init__(self, seed=None):
        pass

    def seed(self, *args, **kwargs):
        pass

    def random(self):
        return _next()

    def gauss(self, mu=0.0, sigma=1.0):
        return mu + sigma * (_next() + _next() + _next() - 1.5) * 2

    normalvariate = gauss

    def _between(self, a=0.0, b=1.0, *args):
        return _next()

    betavariate = expovariate = gammavariate = triangular = lognormvariate = _between
    vonmisesvariate = paretovariate = weibullvariate = _between

    def uniform(self, a, b):
        return a + (b - a) * _next()

    def randint(self, a, b):
        unknown = _not_known(a, b)
        return a + int((b - a + 1) * _next()) if unknown is None else unknown

    def randrange(self, start, stop=None, step=1):
        unknown = _not_known(start, stop, step)
        if unknown is not None:
            return unknown
        values = range(start) if stop is None else range(start, stop, step)
        return values[int(len(values) * _next())]

    def getrandbits(self, k):
        return int(_next() * 2 ** min(k, 31)) if k else 0

    def randbytes(self, n):
        return bytes(n)

    def choice(self, values):
        n = len(values)
        if n == 0:
            import _tilewise
            return _tilewise.unknown("a choice among what no file filled")
        return values[0] if n == 1 else values[int(n * _next())]

    def choices(self, values, weights=None, *, cum_weights=None, k=1):
        return [self.choice(values) for _ in range(k)]

    def sample(self, values, k, *, counts=None):
        if not isinstance(values, range):
            values = list(values)
        if k > len(values):
            raise ValueError("Sample larger than population or is negative")
        # Any of the samples will do where only their number counts.
        return list(values[:k])

    def shuffle(self, values):
        pass

    def getstate(self):
        return ()

    def setstate(self, state):
        pass


SystemRandom = Random
_one = Random()
seed = _one.seed
random = _one.random
uniform = _one.uniform
randint = _one.randint
randrange = _one.randrange
choice = _one.choice
choices = _one.choices
sample = _one.sample
shuffle = _one.shuffle
gauss = normalvariate = expovariate = betavariate = triangular = lognormvariate = _one.gauss
gammavariate = paretovariate = weibullvariate = vonmisesvariate = _one.gauss
getrandbits = _one.getrandbits
randbytes = _one.randbytes
getstate = _one.getstate
setstate = _one.setstate
