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


def pairs(train, test, picture, dtype="uint8", labels="uint8", columns=(), kinds=None):
    """((x, y), (x, y)) of pictures and labels of so many kinds, or of numbers."""
    return tuple([(numpy.ndarray((n,) + tuple(picture), dtype),
                   labels_of((n,) + tuple(columns), labels, kinds)) for n in (train, test)])


def labels_of(shape, dtype, kinds):
    if kinds is None:
        return numpy.ndarray(shape, dtype)
    from keras.datasets._labels import Labels
    return Labels(shape, dtype, kinds)


def texts(train, test, kinds):
    return tuple([(Texts(n), labels_of((n,), "int64", kinds)) for n in (train, test)])


def word_index(what):
    return _tilewise.unknown("the words of " + what)
