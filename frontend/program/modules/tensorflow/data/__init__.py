"""tf.data."""

from tensorflow.data import experimental
from tensorflow.data._count import INFINITE as INFINITE_CARDINALITY
from tensorflow.data._count import UNKNOWN as UNKNOWN_CARDINALITY
from tensorflow.data._dataset import Dataset, DatasetSpec
from tensorflow.data._iterator import Iterator, OwnedIterator
from tensorflow.data._options import Options, Settings
from tensorflow.data._sources import FixedLengthRecordDataset, TFRecordDataset, TextLineDataset

AUTOTUNE = -1
ThreadingOptions = Settings
IteratorSpec = DatasetSpec
NumpyIterator = OwnedIterator


def get_output_shapes(dataset):
    """Of TensorFlow 1, as are the two below."""
    return dataset.output_shapes


def get_output_types(dataset):
    return dataset.output_types


def get_output_classes(dataset):
    return dataset.output_classes


get_legacy_output_shapes, get_legacy_output_types = get_output_shapes, get_output_types
get_legacy_output_classes = get_output_classes


def make_one_shot_iterator(dataset):
    return dataset.make_one_shot_iterator()


def make_initializable_iterator(dataset, shared_name=None):
    return dataset.make_initializable_iterator()
