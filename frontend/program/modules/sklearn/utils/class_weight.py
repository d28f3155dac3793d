import _tilewise
import numpy
from .._base import rows_of, unknown


def compute_class_weight(class_weight=None, classes=None, y=None, **options):
    n = rows_of(classes)
    return unknown("the weights of classes") if n is None or _tilewise.is_unknown(n) else \
        numpy.ndarray([n], "float64")


def compute_sample_weight(class_weight, y, **options):
    n = rows_of(y)
    return unknown("the weights of examples") if n is None else numpy.ndarray([n], "float64")
