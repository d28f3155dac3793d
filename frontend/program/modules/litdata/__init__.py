"""litdata: data sets that are read piece by piece; a TokensLoader says what an item is."""

import _tilewise
from torch.utils.data import DataLoader, Dataset


class BaseItemLoader:
    def __init__(self, *args, **options):
        pass


class PyTreeLoader(BaseItemLoader):
    pass


class TokensLoader(BaseItemLoader):
    """Items are blocks of so many tokens."""

    def __init__(self, block_size=None, *args, **options):
        self.block_size = block_size


class ParquetLoader(BaseItemLoader):
    pass


class StreamingDataset(Dataset):
    def __init__(self, input_dir=None, cache_dir=None, item_loader=None, shuffle=False,
                 drop_last=None, seed=42, *args, **options):
        self.input_dir, self.item_loader = input_dir, item_loader
        self.shuffle, self.drop_last, self.seed = shuffle, drop_last, seed

    def __len__(self):
        return _tilewise.unknown("how many items a streamed data set has")

    def __getitem__(self, index):
        size = getattr(self.item_loader, "block_size", None)
        if isinstance(size, int):
            from torch import int64, zeros
            return zeros(size, dtype=int64)
        return _tilewise.unknown("an item of the data that is streamed from " +
                                 str(self.input_dir))


class StreamingRawDataset(StreamingDataset):
    pass


class CombinedStreamingDataset(Dataset):
    def __init__(self, datasets, seed=42, weights=None, *args, **options):
        self.datasets, self.weights = list(datasets), weights

    def __len__(self):
        return _tilewise.unknown("how many items a streamed data set has")

    def __getitem__(self, index):
        return self.datasets[0][index]


ParallelStreamingDataset = CombinedStreamingDataset


class StreamingDataLoader(DataLoader):
    pass


def optimize(*args, **kwargs):
    return None


map = walk = merge_datasets = index_parquet_dataset = optimize


def train_test_split(dataset, splits, *args, **options):
    return [dataset for _ in splits]
