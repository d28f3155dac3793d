"""Splits: rows by fraction, in the order in which they are."""

import math
import _tilewise
import numpy
from ._base import Estimator, module_of, rows_of, taken, unknown


def _sizes(n, test, train):
    """Rows of the two parts, as fractions or counts ask for."""
    if test is None and train is None:
        test = 0.25
    if test is not None:
        tested = math.ceil(n * test) if isinstance(test, float) else int(test)
    else:
        tested = n - (int(n * train) if isinstance(train, float) else int(train))
    if train is None:
        return n - tested, tested
    return int(n * train) if isinstance(train, float) else int(train), tested


def train_test_split(*arrays, test_size=None, train_size=None, random_state=None, shuffle=True,
                     stratify=None):
    counts = [rows_of(a) for a in arrays]
    known = [n for n in counts if n is not None]
    if _tilewise.is_unknown(test_size) or _tilewise.is_unknown(train_size):
        test_size, train_size = 0.25, None
    if not known:
        return [unknown("a part") for _ in range(2 * len(arrays))]
    if _tilewise.open_size(known[0]) is None:
        sizes = (_tilewise.open_dim(), _tilewise.open_dim())
    else:
        sizes = _sizes(known[0], test_size, train_size)
    parts = []
    for a in arrays:
        parts.append(taken(a, sizes[0]))
        parts.append(taken(a, sizes[1], sizes[0]))
    return parts


class KFold(Estimator):
    """Each fold's rows; one fold stands for the others in what is compiled."""

    def __init__(self, n_splits=5, *args, **settings):
        Estimator.__init__(self, **settings)
        self.n_splits = n_splits

    def get_n_splits(self, *args, **kwargs):
        return self.n_splits

    def split(self, X, y=None, groups=None):
        n = rows_of(X)
        for _ in range(self.n_splits):
            if n is None or _tilewise.open_size(n) is None:
                yield unknown("a fold"), unknown("a fold")
            else:
                test = n // self.n_splits
                yield numpy.ndarray([n - test], "int64"), numpy.ndarray([test], "int64")


StratifiedKFold = GroupKFold = RepeatedKFold = StratifiedShuffleSplit = ShuffleSplit = KFold
RepeatedStratifiedKFold = TimeSeriesSplit = StratifiedGroupKFold = KFold


def cross_val_score(estimator, X, y=None, **options):
    return unknown("the scores")


__getattr__ = module_of("sklearn.model_selection")
