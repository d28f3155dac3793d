"""MNIST as arrays of the published shapes; their numbers are not known."""

import collections

import _tilewise as _t
import numpy
from keras.datasets._arrays import labels_of

Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])
DEFAULT_SOURCE_URL = SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"


class DataSet:
    def __init__(self, images, labels, fake_data=False, one_hot=False, dtype="float32",
                 reshape=True, seed=None):
        self.images, self.labels = images, labels
        self.num_examples = self._num_examples = images.shape[0]
        self.epochs_completed = 0
        self.index_in_epoch = 0

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        if _t.is_unknown(batch_size):
            return batch_size, batch_size
        return tuple([numpy.ndarray((batch_size,) + tuple(a.shape)[1:], a.dtype)
                      for a in (self.images, self.labels)])


_DataSet = DataSet


def _part(n, one_hot, dtype, reshape):
    picture = (784,) if reshape else (28, 28, 1)
    labels = numpy.ndarray((n, 10), "float64") if one_hot else labels_of((n,), "uint8", 10)
    return DataSet(numpy.ndarray((n,) + picture, getattr(dtype, "name", dtype)), labels)


def read_data_sets(train_dir=None, fake_data=False, one_hot=False, dtype="float32", reshape=True,
                   validation_size=5000, seed=None, source_url=None):
    parts = [_part(n, one_hot, dtype, reshape)
             for n in (60000 - validation_size, validation_size, 10000)]
    return Datasets(*parts)


def load_mnist(train_dir="MNIST-data"):
    return read_data_sets(train_dir)


def dense_to_one_hot(labels_dense, num_classes):
    return numpy.ndarray((labels_dense.shape[0], num_classes), "float64")


def extract_images(f):
    return _t.unknown("pictures of a file that is not read")


def extract_labels(f, one_hot=False, num_classes=10):
    return _t.unknown("labels of a file that is not read")


def maybe_download(filename, work_directory, source_url=None):
    return str(work_directory) + "/" + str(filename)
