"""Data sets of the published shapes, and made ones; their numbers are not known."""

import numpy
from ._base import module_of
from .utils import Bunch

# Rows, columns, classes (0: numbers to be predicted).
_TOYS = {"iris": (150, 4, 3), "digits": (1797, 64, 10), "wine": (178, 13, 3),
         "breast_cancer": (569, 30, 2), "diabetes": (442, 10, 0), "boston": (506, 13, 0)}
_TITLES = {"iris": ["sepal length (cm)", "sepal width (cm)", "petal length (cm)",
                    "petal width (cm)"]}


def _bunch(rows, columns, classes, as_xy, as_frame, names=None):
    x = numpy.ndarray((rows, columns), "float64")
    y = numpy.ndarray((rows,), "int64" if classes else "float64")
    names = names or [f"feature {i}" for i in range(columns)]
    frame = None
    if as_frame:
        import pandas
        x, y = pandas.DataFrame(x, columns=names), pandas.Series(y, name="target")
        frame = x.assign(target=y)
    if as_xy:
        return x, y
    return Bunch(data=x, target=y, frame=frame, feature_names=names, DESCR="",
                 target_names=[f"class {i}" for i in range(classes)])


def _toy(name):
    def load(*, return_X_y=False, as_frame=False, n_class=10, scaled=True):
        found = _bunch(*_TOYS[name], return_X_y, as_frame, _TITLES.get(name))
        if name == "digits" and not return_X_y:
            found["images"] = numpy.ndarray((1797, 8, 8), "float64")
        return found
    load.__name__ = load.__qualname__ = "load_" + name
    return load


(load_iris, load_digits, load_wine, load_breast_cancer, load_diabetes, load_boston) = (
    _toy(name) for name in ("iris", "digits", "wine", "breast_cancer", "diabetes", "boston"))


def fetch_california_housing(*, return_X_y=False, as_frame=False, **options):
    return _bunch(20640, 8, 0, return_X_y, as_frame, [
        "MedInc", "HouseAge", "AveRooms", "AveBedrms", "Population", "AveOccup", "Latitude",
        "Longitude"])


def fetch_covtype(*, return_X_y=False, as_frame=False, **options):
    return _bunch(581012, 54, 7, return_X_y, as_frame)


def fetch_openml(name=None, *args, return_X_y=False, as_frame=False, **options):
    if isinstance(name, str) and name.startswith("mnist"):
        return _bunch(70000, 784, 10, return_X_y, False)
    from ._base import unknown
    return unknown("a data set of OpenML")


def fetch_olivetti_faces(*, return_X_y=False, **options):
    found = _bunch(400, 4096, 40, return_X_y, False)
    if not return_X_y:
        found["images"] = numpy.ndarray((400, 64, 64), "float32")
    return found


def _rows(n):
    return n if isinstance(n, int) else sum(n)


def make_classification(n_samples=100, n_features=20, *args, n_classes=2, **options):
    return _bunch(n_samples, n_features, n_classes, True, False)


def make_regression(n_samples=100, n_features=100, *args, n_targets=1, **options):
    x, y = _bunch(n_samples, n_features, 0, True, False)
    return x, y if n_targets == 1 else numpy.ndarray((n_samples, n_targets), "float64")


def make_blobs(n_samples=100, n_features=2, *args, centers=None, **options):
    return _bunch(_rows(n_samples), n_features, 3, True, False)


def make_moons(n_samples=100, **options):
    return _bunch(_rows(n_samples), 2, 2, True, False)


make_circles = make_moons


def make_multilabel_classification(n_samples=100, n_features=20, n_classes=5, **options):
    return (numpy.ndarray((n_samples, n_features), "float64"),
            numpy.ndarray((n_samples, n_classes), "int64"))


def make_s_curve(n_samples=100, **options):
    return _bunch(n_samples, 3, 0, True, False)


make_swiss_roll = make_s_curve
__getattr__ = module_of("sklearn.datasets")
