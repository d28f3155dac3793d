"""grain.python: data loading for JAX; one example goes through all steps and stands for all."""

import _tilewise
from grain._host import Elements, iterator, unbatched
from grain._sources import *
from grain._transforms import *
from grain._transforms import batch as _batched, generator as _generator, step as _step

_unk = _tilewise.is_unknown


class DataLoader:
    def __init__(self, *, data_source, sampler, operations=(), worker_count=0,
                 worker_buffer_size=1, shard_options=None, read_options=None,
                 enable_profiling=False, **options):
        self._source, self._sampler = data_source, sampler
        self._operations, self._workers = list(operations), worker_count
        _tilewise.record("loader", made=self, name="grain.DataLoader", data=data_source,
                         steps=self._operations, works_ahead=1,
                         workers=worker_count if isinstance(worker_count, int) else None)

    def _give(self):
        element = self._source[0]
        for operation in self._operations:
            element = _step(operation, element)
        return element

    def __iter__(self):
        size = None
        for operation in self._operations:
            if hasattr(operation, "batch_size") and hasattr(operation, "drop_remainder"):
                size = operation.batch_size
        records = getattr(self._sampler, "num_records", None)
        endless = getattr(self._sampler, "num_epochs", 1) is None
        elements = Elements(self._give, -1 if endless else None,
                            records if isinstance(records, int) else None, size,
                            getattr(self._sampler, "shuffle", False))
        elements.made = self
        return iterator(elements)


def load(source, *, num_epochs=None, shuffle=False, seed=None, shard_options=None,
         transformations=(), batch_size=None, drop_remainder=False, worker_count=0,
         read_options=None):
    steps = list(transformations)
    if batch_size is not None:
        steps.append(BatchTransform(batch_size, drop_remainder))
    sampler = IndexSampler(len(source), shard_options, shuffle, num_epochs, seed)
    return DataLoader(data_source=source, sampler=sampler, operations=steps,
                      worker_count=worker_count)


class MapDataset:
    """Also IterDataset: `_give` makes one element, `_count` says how many there are."""

    def __init__(self, parents=(), **options):
        self._parents = parents if isinstance(parents, (list, tuple)) else [parents]

    def _become(self, give, count, items=None, size=None, shuffled=False, made=None):
        elements = Elements(give, count, items, size, shuffled)
        elements.made = made
        self.__dict__["_made"] = elements
        return self

    def _next(self, give, **changes):
        old = self._elements()
        facts = {"count": old._count, "items": old.items, "size": old.batch_size,
                 "shuffled": old._shuffled}
        facts.update(changes)
        return MapDataset()._become(give, facts["count"], facts["items"], facts["size"],
                                    facts["shuffled"], old.made)

    def _elements(self):
        if "_made" not in self.__dict__:
            # A class of the program's own: its items are asked of it.
            self._become(lambda: self[0] if type(self) is not MapDataset
                         else _tilewise.unknown("an element of grain's data"), None)
        return self._made

    def _give(self):
        return self._elements().give()

    @staticmethod
    def source(source):
        n = len(source)
        n = n if isinstance(n, int) and not _unk(n) else None
        steps = []  # of all chains that begin here
        _tilewise.record("loader", made=steps, name="grain.MapDataset.source", data=source,
                         steps=steps)
        return MapDataset()._become(lambda: source[0], n, n, made=steps)

    @staticmethod
    def range(start, stop=None, step=1):
        values = range(start) if stop is None else range(start, stop, step)
        return MapDataset()._become(lambda: values[0], len(values), len(values))

    @staticmethod
    def mix(datasets, weights=None, selection_map=None):
        return datasets[0]

    concatenate = mix

    def _each(self, operation):
        steps = self._elements().made
        if steps is not None:
            steps.append(operation)
        return self._next(lambda: _step(operation, self._give()))

    def map(self, transform):
        return self._each(transform)

    map_with_index = map

    def random_map(self, transform, *, seed=None):
        if hasattr(transform, "random_map"):
            return self._each(transform)
        if self._elements().made is not None:
            self._elements().made.append(transform)
        return self._next(lambda: transform(self._give(), _generator()))

    def filter(self, transform):
        return self._next(self._give, count=None, items=None)

    def batch(self, batch_size, *, drop_remainder=False, batch_fn=None):
        old = self._elements()
        count = old._count
        if count is not None and count >= 0:
            count = count // batch_size if drop_remainder else -(-count // batch_size)
        size = batch_size * (old.batch_size or 1)
        return self._next(lambda: _batched(self._give(), batch_size, batch_fn), count=count,
                          size=size)

    def unbatch(self):
        return self._next(lambda: unbatched(self._give()), size=None)

    def shuffle(self, *, seed=None, **options):
        return self._next(self._give, shuffled=True)

    window_shuffle = shuffle

    def repeat(self, num_epochs=None, **options):
        count = self._elements()._count
        if num_epochs is None:
            return self._next(self._give, count=-1)
        return self._next(self._give, count=None if count is None else count * num_epochs)

    def slice(self, part):
        n = self._elements()._count
        if n is not None and n >= 0:
            n = len(range(*part.indices(n)))
        return self._next(self._give, count=n, items=n)

    def seed(self, seed):
        return self

    def to_iter_dataset(self, read_options=None, allow_nones=False):
        return self

    def mp_prefetch(self, options=None, **more):
        return self

    prefetch = device_put = pipe = mp_prefetch

    @property
    def parents(self):
        return self._parents

    def __len__(self):
        n = self._elements()._count
        return _tilewise.unknown("how many elements grain's data has") if n is None or n < 0 else n

    def __getitem__(self, index):
        return self.slice(index) if isinstance(index, slice) else self._give()

    def __iter__(self):
        return iterator(self._elements())


IterDataset = MapDataset
DatasetIterator = MapDataset


class PyGrainCheckpointHandler:
    def save(self, *args, **options):
        pass

    restore = save


PyGrainCheckpointSave = PyGrainCheckpointRestore = CheckpointSave = CheckpointRestore = Settings
CheckpointHandler = PyGrainCheckpointHandler


class _PerformanceConfig:
    def __init__(self):
        self.multiprocessing_options = MultiprocessingOptions()
        self.read_options = ReadOptions()


def pick_performance_config(ds=None, ram_budget_mb=0, max_workers=0, max_buffer_size=None):
    return _PerformanceConfig()


def FirstFitPackIterDataset(parent, *, num_packing_bins=1, length_struct, **options):
    """Examples are put one behind the other into rows of the given lengths."""
    return parent._next(lambda: _packed(length_struct), count=None, items=None)


SingleBinPackIterDataset = ConcatThenSplitIterDataset = FirstFitPackIterDataset


def _packed(lengths):
    import numpy
    made = {}
    for name, length in lengths.items():
        for end in ("", "_segment_ids", "_positions"):
            made[name + end] = numpy.ndarray([length], "int32")
    return made


class experimental:
    """grain.python.experimental."""

    @staticmethod
    def batch_and_pad(values, *, batch_size, pad_value=0):
        return _batched(values[0], batch_size)
