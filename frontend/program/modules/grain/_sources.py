"""Where grain's examples come from, and samplers."""

import _tilewise


class RandomAccessDataSource:
    def __len__(self):
        return _tilewise.unknown("how many examples a source has")


class ArrayRecordDataSource(RandomAccessDataSource):
    def __init__(self, paths=None, reader_options=None, **options):
        self.paths = paths

    def __getitem__(self, index):
        return _tilewise.unknown("a record of a file")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class RangeDataSource(RandomAccessDataSource):
    def __init__(self, start, stop, step=1):
        self._range = range(start, stop, step)

    def __len__(self):
        return len(self._range)

    def __getitem__(self, index):
        return self._range[index]


class InMemoryDataSource(RandomAccessDataSource):
    def __init__(self, elements=None, **options):
        self._elements = elements

    def __len__(self):
        return len(self._elements)

    def __getitem__(self, index):
        return self._elements[index]


def SharedMemoryDataSource(elements=None, **options):
    return InMemoryDataSource(elements)


class ShardOptions:
    def __init__(self, shard_index=0, shard_count=1, drop_remainder=False):
        self.shard_index, self.shard_count = shard_index, shard_count
        self.drop_remainder = drop_remainder
        if shard_count == _tilewise.hosts() and shard_count > 1:
            _tilewise.record("host_share")


class NoSharding(ShardOptions):
    def __init__(self, *args, **options):
        super().__init__()


class ShardByJaxProcess(ShardOptions):
    def __init__(self, drop_remainder=False):
        super().__init__(0, _tilewise.hosts(), drop_remainder)
        _tilewise.record("host_share")


class ShardByTaskIndex(NoSharding):
    pass


class IndexSampler:
    def __init__(self, num_records, shard_options=None, shuffle=False, num_epochs=None, seed=None):
        self.num_records, self.shard_options = num_records, shard_options or NoSharding()
        self.shuffle, self.num_epochs, self.seed = shuffle, num_epochs, seed


class SequentialSampler(IndexSampler):
    def __init__(self, num_records, shard_options=None, seed=None):
        super().__init__(num_records, shard_options, False, 1, seed)


class Settings:
    """ReadOptions, MultiprocessingOptions and the like."""

    def __init__(self, *args, **options):
        for name, value in options.items():
            setattr(self, name, value)


class ReadOptions(Settings):
    num_threads, prefetch_buffer_size = 16, 500


class MultiprocessingOptions(Settings):
    num_workers, per_worker_buffer_size = 0, 1
