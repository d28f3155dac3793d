from . import class_weight
from .._base import module_of, rows_of, taken


def shuffle(*arrays, random_state=None, n_samples=None):
    parts = []
    for a in arrays:
        n = n_samples or rows_of(a)
        parts.append(a if n is None else taken(a, n))
    return parts[0] if len(parts) == 1 else parts


def resample(*arrays, replace=True, n_samples=None, random_state=None, stratify=None):
    return shuffle(*arrays, n_samples=n_samples)


class Bunch(dict):
    """A dictionary whose keys are attributes as well."""

    def __getattr__(self, name):
        if name not in self:
            raise AttributeError(name)
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value


def check_random_state(seed):
    import numpy
    return numpy.random.RandomState(seed)


__getattr__ = module_of("sklearn.utils")
