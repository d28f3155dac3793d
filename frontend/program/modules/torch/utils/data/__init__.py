"""Data sets and loaders. A loader gives one batch, whose tensors are inputs of the step."""

import sys
import _tilewise
from .._pytree import rebuilt
from ..._tensor import Tensor, record_batch, run_per_core, state, wrap


class Dataset:
    def __class_getitem__(cls, item):
        return cls

    def __iter__(self):
        """Programs that go through all examples see some of them."""
        n = len(self)
        if _tilewise.is_unknown(n) or n > 64:
            _tilewise.note("64 examples of the data set stand for all")
            n = 64
        for i in range(n):
            yield self[i]

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    pass


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([t[index] for t in self.tensors])

    def __len__(self):
        return self.tensors[0].shape[0]


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)

    def __getitem__(self, index):
        return self.datasets[0][index]

    def __len__(self):
        return sum([len(d) for d in self.datasets])


class ChainDataset(IterableDataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)

    def __iter__(self):
        return iter(self.datasets[0])


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        return self.dataset[0]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    n = len(dataset)
    lengths = list(lengths)
    if any([_tilewise.is_unknown(v) for v in lengths]) or _tilewise.is_unknown(n):
        return [Subset(dataset, _tilewise.unknown("which examples a part has")) for _ in lengths]
    if sum(lengths) <= 1:
        lengths = [int(n * share) for share in lengths]
        lengths[0] += n - sum(lengths)
    parts, start = [], 0
    for length in lengths:
        parts.append(Subset(dataset, range(start, start + length)))
        start += length
    return parts


# ---- samplers


class Sampler:
    def __init__(self, data_source=None, *args, **kwargs):
        self.data_source = data_source

    def __class_getitem__(cls, item):
        return cls

    def __iter__(self):
        return iter(range(len(self)))

    def __len__(self):
        return len(self.data_source)

    def set_epoch(self, epoch):
        pass


class SequentialSampler(Sampler):
    pass


class RandomSampler(Sampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source, self.num_samples_ = data_source, num_samples

    def __len__(self):
        return len(self.data_source) if self.num_samples_ is None else self.num_samples_


class SubsetRandomSampler(Sampler):
    def __init__(self, indices, generator=None):
        self.data_source = indices


class WeightedRandomSampler(Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.data_source = range(num_samples)


class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        return iter([list(range(self.batch_size))])

    def __len__(self):
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)


class DistributedSampler(Sampler):
    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0,
                 drop_last=False):
        self.data_source, self.drop_last = dataset, drop_last
        # A program that asks its launcher and finds none says that it is the only process.
        self.num_replicas = _tilewise.replicas() if num_replicas in (None, 1) else num_replicas
        self.rank = 0 if rank is None else rank

    @property
    def num_samples(self):
        return len(self)

    def __len__(self):
        return -(-len(self.data_source) // max(self.num_replicas, 1))


# ---- the loader


def batched(sample, size):
    """A batch of which `sample` is one."""
    if _tilewise.is_unknown(sample):
        return sample
    if isinstance(sample, Tensor):
        return _examples([size] + list(sample.shape), _tilewise.dtype(sample._h))
    if hasattr(sample, "_t"):
        return batched(sample._t, size)
    if isinstance(sample, bool):
        return _examples([size], "pred")
    if isinstance(sample, int):
        return _examples([size], "s64")
    if isinstance(sample, float):
        return _examples([size], "f32")
    if isinstance(sample, dict):
        return {k: batched(v, size) for k, v in sample.items()}
    if isinstance(sample, (tuple, list)):
        # Beside data that are known a second value most often is a class; others the model says.
        pair = len(sample) == 2 and not _tilewise.is_unknown(sample[0])
        return [_label(size) if pair and i == 1 and _tilewise.is_unknown(v) else batched(v, size)
                for i, v in enumerate(sample)]
    if isinstance(sample, str):
        return [sample] * size
    return sample


def _label(size):
    _tilewise.note("what a data set gives beside its first value is taken to be a class number")
    return _examples([size], "s64")


def _examples(sizes, code, at=0):
    """Data from outside: arrays that are made of it know which dim counts examples."""
    x = wrap(_tilewise.input(sizes, code, "", at))
    x._batch = at
    return x


def default_collate(batch):
    return batched(batch[0], len(batch))


made = []  # the first loaders of the program


class _Cycle:
    """One batch, and more of its kind as long as gradients are added up without an update."""

    def __init__(self, loader):
        self.loader, self.given, self.before = loader, 0, None

    def __iter__(self):
        return self

    def __next__(self):
        parts, updates = _tilewise.trained()
        # Programs fetch the next batch before they use one; tests go on until they are left.
        tests = not state.stepped and self.given < (3 if state.grad else 200)
        if self.given > 0 and not tests and (self.given == 16 or parts == self.before[0] or
                                             updates != self.before[1]):
            raise StopIteration
        self.given += 1
        self.before = parts, updates
        return self.loader._batch()

    next = __next__


class DataLoader:
    __tilewise_wrapped__ = "items"

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None,
                 num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, timeout=0,
                 worker_init_fn=None, multiprocessing_context=None, generator=None, **options):
        self.dataset, self.collate_fn, self.drop_last = dataset, collate_fn, drop_last
        self.num_workers, self.pin_memory, self.batch_sampler = (
            num_workers, pin_memory, batch_sampler)
        self.sampler = sampler if sampler is not None else SequentialSampler(dataset)
        self.batch_size = batch_size
        if hasattr(self.sampler, "num_replicas"):
            run_per_core()  # it gives each process examples of its own
        if len(made) < 8:
            made.append(self)
        drops = int(drop_last) if isinstance(drop_last, bool) else None
        _tilewise.record("loader", made=self, name="torch.utils.data.DataLoader", data=dataset,
                         drop_last=drops,
                         workers=num_workers if isinstance(num_workers, int) else None)
        if batch_sampler is not None and hasattr(batch_sampler, "batch_size"):
            self.batch_size = batch_sampler.batch_size

    def __class_getitem__(cls, item):
        return cls

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        n = len(self.sampler)
        if n <= 8 and isinstance(self.batch_size, int) and n < self.batch_size or n == 1:
            # One example stands for those of files that are not here.
            n = _tilewise.unknown("how many examples there are")
        if self.batch_size is None:
            return n
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        return _Cycle(self)

    def _batch(self):
        parts = getattr(self.dataset, "_parts", 1)  # of which an example is made
        rows = self.batch_size if _tilewise.is_unknown(parts) or parts == 1 else \
            self.batch_size * parts
        if not state.stepped:
            _tilewise.record("loader_batch", made=self)
            state.loaded = rows
        if isinstance(self.dataset, IterableDataset):
            sample = next(iter(self.dataset))
        else:
            sample = self.dataset[0]
            size = len(self.dataset)
            if not _tilewise.is_unknown(size) and size not in (1, 1000) and not state.stepped:
                _tilewise.record("dataset_size", size=size)
        if self.batch_size is None:
            return sample
        if not state.stepped:
            # Batches behind the first step of training are those of tests.
            steps = sys.modules.get("jax._transforms")
            if steps is None or steps.BACKWARDS[0] == 0:  # later ones evaluate a program of JAX
                record_batch(rows, "DataLoader")
        if self.collate_fn is None:
            return batched(sample, rows)
        return _as_inputs(self.collate_fn([sample] * self.batch_size), rows)


def _as_inputs(batch, size):
    """What a program's own collate function makes of samples is data from outside too."""
    if isinstance(batch, Tensor):
        shape = list(batch.shape)
        at = shape.index(size) if size in shape else None
        return _examples(shape, _tilewise.dtype(batch._h), at)
    if isinstance(batch, dict):
        return type(batch)({k: _as_inputs(v, size) for k, v in batch.items()})
    if isinstance(batch, (tuple, list)):
        return rebuilt(type(batch), [_as_inputs(v, size) for v in batch])
    return batch


def get_worker_info():
    return None


from . import distributed, sampler, dataloader, dataset
