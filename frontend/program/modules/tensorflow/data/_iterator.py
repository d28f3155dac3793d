"""What loops over data sets meet: one element stands for all."""

import _tilewise
from tensorflow._public import state
from tensorflow.data import _element
from tensorflow.data._count import INFINITE

_ROUNDS = 16     # of gradients that are added up before an update
_ENDLESS = 4096  # elements of a loop over a data set that repeats for ever


def trained():
    """Gradients and updates of the program so far."""
    counts = getattr(_tilewise, "trained", None)
    counts = None if counts is None or _tilewise.is_unknown(counts) else counts()
    return (0, 0) if _tilewise.is_unknown(counts) or counts is None else counts


def record(dataset):
    """The batch that the program trains with: of what is taken before the first update."""
    if trained()[1] > 0 or state.host:
        return
    size = dataset.batch_size
    if size is None:
        return
    seen = state.batches_of
    shuffled = dataset.has_stage("shuffle") or dataset.has_stage("repeat")
    if seen is not None and (seen or not shuffled):
        return
    state.batches_of = shuffled
    if dataset.items is not None:
        _tilewise.record("dataset_size", size=dataset.items)
    _tilewise.record("batch", size=size, what="tf.data")


class OwnedIterator:
    """next() always gives; a loop gets one element, and more while gradients are added up."""

    def __init__(self, dataset):
        self._dataset, self._rounds = dataset, 0

    def __iter__(self):
        return _Loop(self)

    def __tilewise_open__(self):
        return self._dataset.__tilewise_open__()

    def _give(self):
        record(self._dataset)
        self._dataset._used("taken")
        return _element.feed(self._dataset._leaves)

    def __next__(self):
        return self._give()

    def get_next(self, name=None):
        return self._give()

    next = __next__

    def get_next_as_optional(self):
        return Optional(self._give())

    @property
    def element_spec(self):
        return self._dataset.element_spec

    @property
    def _type_spec(self):
        return self

    # What strategy code asks of a data set, asked of its iterator.

    @property
    def element(self):
        return self._dataset.element

    @property
    def batch_size(self):
        return self._dataset.batch_size


class NumpyIterator(OwnedIterator):
    def _give(self):
        record(self._dataset)
        self._dataset._used("taken")
        return _element.fed_numpy(self._dataset._leaves)


class _Loop:
    def __init__(self, iterator):
        self._iterator, self._given, self._before = iterator, 0, None

    def __iter__(self):
        return self

    def __next__(self):
        if self._iterator._dataset._count == 0:
            raise StopIteration
        if self._given and not self._goes_on():
            raise StopIteration
        self._before = trained()
        self._given += 1
        return self._iterator._give()

    def _goes_on(self):
        if self._iterator._dataset._count == INFINITE:
            return self._given < _ENDLESS
        parts, updates = trained()
        return self._given < _ROUNDS and parts != self._before[0] and updates == self._before[1]

    next = __next__
    get_next = __next__


class Optional:
    def __init__(self, value=None):
        self._value = value

    def has_value(self, name=None):
        return self._value is not None

    def get_value(self, name=None):
        return self._value

    @property
    def element_spec(self):
        return _element.mapped(_element.spec_of, _element.of_value(self._value))

    @staticmethod
    def from_value(value):
        return Optional(value)

    @staticmethod
    def empty(element_spec=None):
        return Optional()


class Iterator:
    """Of TensorFlow 1: `get_next` gives the tensors that each run takes anew."""

    def __init__(self, dataset=None, leaves=None):
        self._dataset, self._leaves, self._next = dataset, leaves, None

    @staticmethod
    def from_structure(output_types, output_shapes=None, shared_name=None, output_classes=None):
        return Iterator(None, _element.of_types(output_types, output_shapes))

    @staticmethod
    def from_string_handle(string_handle, output_types, output_shapes=None, output_classes=None):
        return Iterator(None, _element.of_types(output_types, output_shapes))

    @staticmethod
    def from_dataset(dataset):
        return Iterator(dataset)

    def make_initializer(self, dataset, name=None):
        if self._dataset is None:
            self._dataset = dataset
        return _operation("make_initializer")

    @property
    def initializer(self):
        return _operation("initializer")

    def initialize(self):
        return _operation("initialize")

    def get_next(self, name=None):
        if self._next is None:
            if self._dataset is not None:
                record(self._dataset)
                self._dataset._used("taken")
            self._next = _element.feed(self._leaves if self._dataset is None
                                       else self._dataset._leaves)
        return self._next

    def string_handle(self, name=None):
        return self

    def __iter__(self):
        return OwnedIterator(self._dataset).__iter__()

    def __next__(self):
        return self.get_next()

    next = __next__

    @property
    def element_spec(self):
        return self._dataset.element_spec

    @property
    def output_types(self):
        return self._dataset.output_types

    @property
    def output_shapes(self):
        return self._dataset.output_shapes

    @property
    def output_classes(self):
        return self._dataset.output_classes


def _operation(name):
    try:
        from tensorflow._tf1.graph import Operation
    except ImportError:
        return None
    return Operation(False, name)
