"""Arrays of the published shapes; their numbers are not known."""

import _tilewise
import numpy


class Texts(numpy.ndarray):
    """Rows of different lengths. Whoever goes through them meets one that stands for all."""

    def __init__(self, n, what="a text of the data set"):
        numpy.ndarray.__init__(self, [n], "int64")
        self.what = what

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Texts(len(range(*index.indices(self.shape[0]))), self.what)
        if isinstance(index, (list, numpy.ndarray)):
            return Texts(numpy.ndarray.__getitem__(self, index).shape[0], self.what)
        return _tilewise.unknown(self.what)

    def __iter__(self):
        return iter([self[0]])

    def tolist(self):
        return self

    def astype(self, dtype, copy=True):
        return self

    def copy(self):
        return Texts(self.shape[0], self.what)


def pairs(train, test, picture, dtype="uint8", labels="uint8", columns=()):
    """((x, y), (x, y)) of pictures and labels."""
    return tuple([(numpy.ndarray((n,) + tuple(picture), dtype),
                   numpy.ndarray((n,) + tuple(columns), labels)) for n in (train, test)])


def texts(train, test):
    return tuple([(Texts(n), numpy.ndarray((n,), "int64")) for n in (train, test)])


def word_index(what):
    return _tilewise.unknown("the words of " + what)
