"""scipy.optimize: what matches rows with columns; the numbers are not known."""

import _tilewise
import numpy as np
from _tilewise_nothing import module

__getattr__ = module("scipy.optimize")


def linear_sum_assignment(cost_matrix, maximize=False):
    """As many pairs as the smaller side has."""
    shape = getattr(cost_matrix, "shape", None)
    if _tilewise.is_unknown(cost_matrix) or shape is None or len(shape) != 2:
        return _tilewise.unknown("pairs of rows and columns that cost least")
    n = min(shape)
    return np.ndarray([n], np.int64), np.ndarray([n], np.int64)
