"""Estimators of the host: they keep shapes; what they find in data is not known."""

import _tilewise
import numpy


def unknown(what):
    return _tilewise.unknown(f"{what} of data that is not read")


def rows_of(x):
    """How many rows, or None."""
    if _tilewise.is_unknown(x):
        return None
    if isinstance(getattr(x, "_rows", None), int):
        return x._rows
    if hasattr(x, "_a"):
        return x._a.shape[0]
    if hasattr(x, "shape"):
        return x.shape[0]
    n = len(x)
    return None if _tilewise.is_unknown(n) else n


def taken(x, n, first=0):
    """So many rows of anything that has rows."""
    if _tilewise.is_unknown(x):
        return x
    if hasattr(x, "_shuffled"):
        return x._shuffled(n)
    if hasattr(x, "_a"):
        return type(x)(numpy.ndarray([n], x._a.dtype), name=x.name)
    if isinstance(x, (list, tuple)):
        return list(x)[first:first + n]
    if hasattr(x, "shape"):
        part = x[first:first + n] if type(x) is not numpy.ndarray else None
        return part if part is not None else \
            numpy.ndarray((n,) + tuple(x.shape[1:]), x.dtype)
    return list(x)[first:first + n]


def plain(x):
    """An array of the same shape whose numbers are other ones."""
    if _tilewise.is_unknown(x):
        return x
    x = numpy.array(x.values if hasattr(x, "_rows") and x._open else x)
    return numpy.ndarray(x.shape, x.dtype if x.dtype.kind == "f" else "float64")


class Estimator:
    def __init__(self, *args, **settings):
        self._settings = settings
        for name, value in settings.items():
            setattr(self, name, value)

    def get_params(self, deep=True):
        return dict(self._settings)

    def set_params(self, **settings):
        return self

    def fit(self, X=None, y=None, *args, **options):
        return self

    partial_fit = fit

    def predict(self, X, *args, **options):
        n = rows_of(X)
        return unknown("the predictions") if n is None else numpy.ndarray([n], "float64")

    fit_predict = predict

    def predict_proba(self, X):
        return unknown("the predictions")

    def score(self, *args, **options):
        return unknown("a score")

    def transform(self, X, *args, **options):
        return plain(X)

    inverse_transform = transform

    def fit_transform(self, X, y=None, **options):
        return self.fit(X, y).transform(X)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return unknown(f"{type(self).__name__}.{name}")


def swallow(name):
    """A module's or a class's stand-in of that name."""
    class Made(Estimator):
        pass
    Made.__name__ = Made.__qualname__ = name
    return Made


def module_of(path):
    """What a module of estimators and functions gives for a name that it does not have."""
    def get(name):
        if name[:1].isupper():
            return swallow(name)
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: unknown(f"{path}.{name}")
    return get
