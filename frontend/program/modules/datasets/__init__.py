"""Hugging Face datasets: public ones are known by their columns and numbers of rows."""

import _tilewise
from datasets import _rows, features
from datasets.arrow_dataset import Dataset, DatasetDict, IterableDataset, IterableDatasetDict
from datasets.features import (Array2D, Array3D, Audio, ClassLabel, Features, Image, Sequence,
                               Translation, Value)

__version__ = "3.0.0"


class SplitInfo:
    def __init__(self, name="", num_examples=0, num_bytes=0):
        self.name, self.num_examples = name, num_examples


class DatasetInfo:
    def __init__(self, features=None, splits=None, **options):
        self.features, self.splits = features, splits


class Split:
    TRAIN, TEST, VALIDATION, ALL = "train", "test", "validation", "all"


class DownloadConfig:
    def __init__(self, *args, **options):
        pass


class DownloadMode:
    REUSE_DATASET_IF_EXISTS, FORCE_REDOWNLOAD = "reuse_dataset_if_exists", "force_redownload"


def load_dataset(path, name=None, data_dir=None, data_files=None, split=None, cache_dir=None,
                 features=None, streaming=False, **options):
    known = _rows.find(path, name) if isinstance(path, str) and data_files is None else None
    columns, counts = known if known is not None else (None, {})
    kind = IterableDataset if streaming else Dataset

    def one(wanted):
        return _part(kind, path, columns, counts, wanted)
    if split is None:
        if known is None:
            return _Splits(one)
        return DatasetDict({s: one(s) for s in counts})
    if isinstance(split, (list, tuple)):
        return [one(s) for s in split]
    return one(split)


_USUAL = ("train", "validation", "test")


class _Splits(DatasetDict):
    """Of a data set whose splits are not known: it has what is asked for."""

    def __init__(self, one):
        super().__init__()
        self.__dict__["_one"] = one

    def __missing__(self, name):
        self[name] = self._one(name)
        return self[name]

    def __contains__(self, name):
        return name in _USUAL

    def __iter__(self):
        return iter(_USUAL)

    def keys(self):
        return list(_USUAL)

    def values(self):
        return [self[name] for name in _USUAL]

    def items(self):
        return [(name, self[name]) for name in _USUAL]

    def __getattr__(self, name):
        """What is done to each split is done when the split is asked for."""
        if name.startswith("__") or not hasattr(Dataset, name):
            raise AttributeError(name)
        if name in ("num_rows", "column_names", "shape", "num_columns"):
            return getattr(self["train"], name)
        return lambda *args, **options: _Splits(
            lambda split: getattr(self[split], name)(*args, **options))


def _part(kind, path, columns, counts, split):
    from tensorflow_datasets._catalog import examples
    split = str(split)
    if columns is None:
        return kind(lambda: _tilewise.unknown("a row of the data set '" + str(path) + "'"))
    splits = {s: SplitInfo(s, n) for s, n in counts.items()}
    made = kind(lambda: {k: _rows.value(f, k) for k, f in columns.items()},
                examples(counts, split), columns, None, DatasetInfo(columns, splits))
    made.split = split
    return made


def load_dataset_builder(path, name=None, **options):
    class Builder:
        info = load_dataset(path, name, split="train").info or \
            _tilewise.unknown("what is known of a data set")

        def download_and_prepare(self, *args, **more):
            pass

        def as_dataset(self, split=None, **more):
            return load_dataset(path, name, split=split)
    return Builder()


def load_from_disk(*args, **options):
    return Dataset(lambda: _tilewise.unknown("a row of a data set that was saved"))


def concatenate_datasets(dsets, axis=0, **options):
    if axis == 1:
        return dsets[0]._next(lambda: _side_by_side(
            [d.with_format()._row() for d in dsets]))
    counts = [d._count for d in dsets]
    return dsets[0]._next(lambda: dsets[0]._row(),
                          count=None if None in counts else sum(counts))


def _side_by_side(rows):
    """The columns of all; of a row that is not known all columns are."""
    whole = {}
    for row in rows:
        if not isinstance(row, dict):
            return row
        whole.update(row)
    return whole


def interleave_datasets(datasets, *args, **options):
    return concatenate_datasets(datasets)


def get_dataset_config_names(path, **options):
    return _tilewise.unknown("the configurations of a data set")


get_dataset_split_names = get_dataset_config_names


def _nothing(*args, **options):
    return None


disable_caching = enable_caching = disable_progress_bar = enable_progress_bar = _nothing
disable_progress_bars = enable_progress_bars = set_caching_enabled = _nothing

from datasets import distributed, splits, utils
