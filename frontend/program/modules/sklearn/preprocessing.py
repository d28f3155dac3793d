"""Scalers keep an array's shape; encoders have as many columns as there are values."""

import _tilewise
import numpy
from ._base import Estimator, module_of, plain, rows_of, unknown


class StandardScaler(Estimator):
    pass


MinMaxScaler = RobustScaler = MaxAbsScaler = Normalizer = QuantileTransformer = StandardScaler
PowerTransformer = Binarizer = OrdinalEncoder = StandardScaler


def _values(y):
    """The different values, when the numbers are known."""
    if _tilewise.is_unknown(y):
        return None
    if hasattr(y, "_a"):
        y = y._a
    if hasattr(y, "_rows"):
        return None
    y = numpy.array(y)
    return None if y._values is None else sorted(set(y._values))


class LabelEncoder(Estimator):
    classes_ = _tilewise.unknown("the different labels of data that is not read")

    def fit(self, y, *args):
        found = _values(y)
        if found is not None:
            self.classes_ = found
        return self

    def transform(self, y):
        n = rows_of(y)
        if n is None:
            return unknown("the labels")
        y = y._a if hasattr(y, "_a") else y
        found = self.classes_
        y = numpy.array(y) if not hasattr(y, "_rows") else numpy.ndarray([n], "int64")
        if y._values is None or _tilewise.is_unknown(found):
            return numpy.ndarray([n], "int64")
        return numpy.array([found.index(v) if v in found else 0 for v in y._values])

    def fit_transform(self, y, *args, **options):
        return self.fit(y).transform(y)

    inverse_transform = transform


class LabelBinarizer(LabelEncoder):
    def transform(self, y, *args):
        n, found = rows_of(y), self.classes_
        if n is None or _tilewise.is_unknown(found):
            return unknown("how many different labels")
        return numpy.ndarray([n, 1 if len(found) == 2 else len(found)], "int64")

    inverse_transform = transform


class OneHotEncoder(LabelBinarizer):
    def transform(self, y, *args):
        n, found = rows_of(y), self.classes_
        if n is None or _tilewise.is_unknown(found):
            return unknown("how many different values")
        shape = numpy.array(y).shape
        if len(shape) > 1 and shape[1] > 1:
            return unknown("how many different values a column has")
        return numpy.ndarray([n, len(found)], "float64")

    @property
    def categories_(self):
        return [self.classes_]


class MultiLabelBinarizer(Estimator):
    def __init__(self, classes=None, **settings):
        Estimator.__init__(self, **settings)
        self.classes = classes

    def transform(self, y, *args, **options):
        n = rows_of(y)
        if n is None or self.classes is None:
            return unknown("how many different labels")
        return numpy.ndarray([n, len(self.classes)], "int64")


def scale(X, *args, **options):
    return plain(X)


minmax_scale = normalize = robust_scale = maxabs_scale = scale


def label_binarize(y, classes=None, **options):
    n = rows_of(y)
    return unknown("the labels") if n is None or _tilewise.is_unknown(classes) else \
        numpy.ndarray([n, len(classes)], "int64")


__getattr__ = module_of("sklearn.preprocessing")
