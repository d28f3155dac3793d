"""TensorFlow Datasets: public data sets are known by the facts of their catalog."""

import importlib as _importlib

import _tilewise
from tensorflow_datasets import core, decode, features, testing
from tensorflow_datasets._builder import BeamBasedBuilder, DatasetBuilder, GeneratorBasedBuilder
from tensorflow_datasets._builder import make as _make
from tensorflow_datasets._info import ReadInstruction, SplitDict, SplitInfo

_importlib.import_module("tensorflow")  # It is loaded whatever is used of this one.
__version__ = "4.9.6"
_unk = _tilewise.is_unknown


def load(name, *, split=None, data_dir=None, batch_size=None, shuffle_files=False, download=True,
         as_supervised=False, decoders=None, read_config=None, with_info=False,
         builder_kwargs=None, download_and_prepare_kwargs=None, as_dataset_kwargs=None,
         try_gcs=False, file_format=None):
    options = builder_kwargs or {}
    made = _make(name, options.get("config"), _folder(data_dir, try_gcs))
    more = dict(as_dataset_kwargs or {})
    more.setdefault("batch_size", batch_size)
    more.setdefault("shuffle_files", shuffle_files)
    more.setdefault("decoders", decoders)
    more.setdefault("read_config", read_config)
    more.setdefault("as_supervised", as_supervised)
    dataset = made.as_dataset(more.pop("split", split), **more)
    return (dataset, made.info) if with_info else dataset


def builder(name, *, data_dir=None, try_gcs=False, config=None, version=None, **options):
    return _make(name, config, _folder(data_dir, try_gcs))


def _folder(data_dir, try_gcs):
    """Where the files are: those that are prepared already lie in a bucket."""
    return "gs://tfds-data/datasets" if data_dir is None and try_gcs is True else data_dir


def builder_from_directory(builder_dir):
    return _make(_tilewise.unknown("the data set of a folder"))


def builder_from_directories(builder_dirs, *args, **kwargs):
    return _make(_tilewise.unknown("the data set of folders"))


def builder_cls(name):
    from tensorflow_datasets._builder import own
    return own[name] if name in own else (lambda **options: _make(name, options.get("config")))


def data_source(name, *, split=None, data_dir=None, download=True, decoders=None,
                builder_kwargs=None, **options):
    made = _make(name, (builder_kwargs or {}).get("config"), data_dir)
    return made.as_data_source(split, decoders=decoders)


def list_builders(*args, **kwargs):
    return _tilewise.unknown("the names of all data sets")


class NumpyDataset:
    """A data set whose elements are arrays."""

    def __init__(self, dataset):
        self._dataset = dataset

    def __iter__(self):
        return self._dataset.as_numpy_iterator()

    def __tilewise_open__(self):
        return self._dataset.__tilewise_open__()

    def __len__(self):
        return len(self._dataset)


def as_numpy(dataset, graph=None):
    if _unk(dataset):
        return dataset
    if hasattr(dataset, "_leaves"):
        return NumpyDataset(dataset)
    if isinstance(dataset, dict):
        return {k: as_numpy(v) for k, v in dataset.items()}
    if isinstance(dataset, (list, tuple)):
        return type(dataset)([as_numpy(v) for v in dataset])
    return dataset.numpy() if hasattr(dataset, "numpy") else dataset


dataset_as_numpy = as_numpy


def as_dataframe(ds, ds_info=None):
    return _tilewise.unknown("a table of examples")


def _nothing(*args, **kwargs):
    return None


disable_progress_bar = enable_progress_bar = show_examples = show_statistics = _nothing
display_progress_bar = is_dataset_on_gcs = _nothing


class Split:
    TRAIN, TEST, VALIDATION, ALL = "train", "test", "validation", "all"

    def __new__(cls, name):
        return name


class _Percent:
    def __getitem__(self, part):
        return part


percent = _Percent()


def even_splits(split, n, *, drop_remainder=False):
    """As parts in per cent, which is as many examples for any number of them."""
    return [str(split) + "[" + str(100 * i / n) + "%:" + str(100 * (i + 1) / n) + "%]"
            for i in range(int(n))]


def split_for_jax_process(split, *, process_index=None, process_count=None, drop_remainder=False):
    n = _tilewise.hosts() if process_count is None else process_count
    return even_splits(split, n)[process_index or 0]


class ReadConfig:
    def __init__(self, options=None, try_autocache=True, repeat_filenames=False,
                 add_tfds_id=False, shuffle_seed=None, shuffle_reshuffle_each_iteration=None,
                 interleave_cycle_length=16, interleave_block_length=16, input_context=None,
                 experimental_interleave_sort_fn=None, skip_prefetch=False,
                 num_parallel_calls_for_decode=None, num_parallel_calls_for_interleave_files=None,
                 enable_ordering_guard=True, assert_cardinality=True, override_buffer_size=None):
        self.options, self.try_autocache, self.add_tfds_id = options, try_autocache, add_tfds_id
        self.shuffle_seed, self.input_context = shuffle_seed, input_context
        self.interleave_cycle_length = interleave_cycle_length
        self.interleave_block_length = interleave_block_length
        self.skip_prefetch = skip_prefetch


from tensorflow_datasets import deprecated, download

features.text = deprecated.text
