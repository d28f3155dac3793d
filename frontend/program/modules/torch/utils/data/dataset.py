from . import ConcatDataset, Dataset, IterableDataset, Subset, TensorDataset, random_split
