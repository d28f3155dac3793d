"""Random values: unknown, unless there is one choice only."""


def _unknown():
    import _tilewise
    return _tilewise.unknown("a random number")


class Random:
    def __init__(self, seed=None):
        pass

    def seed(self, *args, **kwargs):
        pass

    def random(self):
        return _unknown()

    def _any(self, *args, **kwargs):
        return _unknown()

    gauss = normalvariate = lognormvariate = expovariate = betavariate = gammavariate = _any
    triangular = vonmisesvariate = paretovariate = weibullvariate = _any

    def uniform(self, a, b):
        return a if a == b else _unknown()

    def randint(self, a, b):
        return a if a == b else _unknown()

    def randrange(self, start, stop=None, step=1):
        values = range(start) if stop is None else range(start, stop, step)
        return values[0] if len(values) == 1 else _unknown()

    def getrandbits(self, k):
        return 0 if k == 0 else _unknown()

    def randbytes(self, n):
        return _unknown()

    def choice(self, values):
        if len(values) == 0:
            raise IndexError("Cannot choose from an empty sequence")
        first = values[0]
        for value in values:
            if value is not first:
                return _unknown()
        return first

    def choices(self, values, weights=None, *, cum_weights=None, k=1):
        return [self.choice(values) for _ in range(k)]

    def sample(self, values, k, *, counts=None):
        values = list(values)
        if k > len(values):
            raise ValueError("Sample larger than population or is negative")
        # Any of the samples will do where only their number counts.
        return values[:k]

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
