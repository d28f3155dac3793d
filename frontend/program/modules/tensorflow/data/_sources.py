"""Where pipelines begin: arrays, generators, files."""

import _tilewise
import _tilewise_files
from tensorflow import _dtypes
from tensorflow._public import state
from tensorflow.data import _count, _element
from tensorflow.data._count import INFINITE, UNKNOWN, number
from tensorflow.data._dataset import Dataset
from tensorflow.data._element import Leaf, is_leaf

_unk = _tilewise.is_unknown
_range, _zip = range, zip


def _string():
    return Leaf((), _dtypes.string)


# ---- arrays


def from_tensor_slices(tensors, name=None):
    leaves = _element.mapped(_not_empty, _element.of_value(_as_structure(tensors)))
    first = _element.leaf_of(leaves)
    count = None
    for leaf in _element.leaves(leaves):
        if is_leaf(leaf) and leaf.shape and leaf.shape[0] is not None:
            count = _tilewise.open_size(leaf.shape[0])
            break
    if count is not None and _tilewise_files.holds_made(tensors):
        count = None
    paths = tensors if first is not None and first.dtype.name == "string" else None
    return Dataset._made(_element.drop_dim(leaves), count, count, "from_tensor_slices",
                         "tf.data.Dataset.from_tensor_slices", paths=paths)


def _not_empty(leaf):
    """Lists that are empty here were to be filled from files that are not read."""
    if is_leaf(leaf) and leaf.shape and leaf.shape[0] == 0:
        return _tilewise.unknown("the elements of a list that is filled from files")
    return leaf


def _as_structure(x):
    """Dictionaries and tuples stay, also those within; lists are tensors."""
    if hasattr(x, "keys") and hasattr(x, "items") and not isinstance(x, dict) and not _unk(x):
        return {k: x[k] for k in x.keys()}
    return x


def from_tensors(tensors, name=None):
    return Dataset._made(_element.of_value(_as_structure(tensors)), 1, 1, "from_tensor_slices",
                         "tf.data.Dataset.from_tensors")


def from_generator(generator, output_types=None, output_shapes=None, args=None,
                   output_signature=None, name=None):
    leaves = _tilewise.unknown("what a generator yields")
    if output_signature is not None:
        leaves = _element.of_signature(_tuples(output_signature))
    elif output_types is not None:
        leaves = _element.of_types(_tuples(output_types), output_shapes)
    open_rank = _unk(leaves) or None in [getattr(leaf, "shape", None)
                                         for leaf in _element.leaves(leaves)]
    if open_rank:
        leaves = _looked_at(generator, args or (), leaves)
    return Dataset._made(leaves, UNKNOWN, None, "from_generator",
                         "tf.data.Dataset.from_generator", function=generator)


def _tuples(s):
    if _unk(s) or not isinstance(s, list):
        return s
    return tuple([_tuples(v) for v in s])


def _looked_at(generator, args, leaves):
    """The shapes of what the generator gives first, where the program does not say them."""
    from tensorflow.data._function import _Host
    try:
        with _Host():
            first = next(iter(generator(*args)))
    except Exception:
        return leaves
    found = _element.of_value(first)
    if _unk(leaves):
        return found
    return _element.paired(_filled, leaves, found)


def _filled(leaf, found):
    if is_leaf(leaf) and leaf.shape is None and is_leaf(found):
        return leaf.at(found.shape, 0)
    return leaf


def range(*args, output_type=None, name=None):
    bounds = [number(v) for v in args]
    count = None
    if None not in bounds:
        count = len(_range(*bounds))
    dtype = _dtypes.int64 if output_type is None else _dtypes.as_dtype(output_type)
    return Dataset._made(Leaf((), dtype), count, count, "range", "tf.data.Dataset.range")


def random(seed=None, rerandomize_each_iteration=None, name=None):
    return Dataset._made(Leaf((), _dtypes.int64), INFINITE, None, "range",
                         "tf.data.Dataset.random", seed=seed)


def counter(start=0, step=1, dtype=None, name=None):
    dtype = _dtypes.int64 if dtype is None else _dtypes.as_dtype(dtype)
    return Dataset._made(Leaf((), dtype), INFINITE, None, "range", "tf.data.Dataset.counter")


# ---- files


def list_files(file_pattern, shuffle=None, seed=None, name=None):
    return Dataset._made(_string(), None, None, "list_files", "tf.data.Dataset.list_files",
                         paths=file_pattern, shuffle=shuffle, seed=seed)


class TFRecordDataset(Dataset):
    def __init__(self, filenames, compression_type=None, buffer_size=None,
                 num_parallel_reads=None, name=None):
        _read_files(self, "tf.data.TFRecordDataset", filenames, num_parallel_reads)


class TextLineDataset(Dataset):
    def __init__(self, filenames, compression_type=None, buffer_size=None,
                 num_parallel_reads=None, name=None):
        _read_files(self, "tf.data.TextLineDataset", filenames, num_parallel_reads)


class FixedLengthRecordDataset(Dataset):
    def __init__(self, filenames, record_bytes, header_bytes=None, footer_bytes=None,
                 buffer_size=None, compression_type=None, num_parallel_reads=None, name=None):
        _read_files(self, "tf.data.FixedLengthRecordDataset", filenames, num_parallel_reads)


def _read_files(dataset, name, filenames, reads=None, leaves=None):
    files = None
    if isinstance(filenames, (list, tuple)):
        files = len(filenames)
    elif isinstance(filenames, str):
        files = 1
    made = Dataset._made(leaves or _string(), UNKNOWN, None, "record_files", name,
                         paths=filenames, files=files, num_parallel_calls=reads)
    dataset._become(made._leaves, UNKNOWN, None, made._own)
    _tilewise.record("chain", made=dataset, of=[made], inner=state.host)


class CsvDataset(Dataset):
    def __init__(self, filenames, record_defaults, compression_type=None, buffer_size=None,
                 header=False, field_delim=",", use_quote_delim=True, na_value="",
                 select_cols=None, exclude_cols=None):
        leaves = tuple([_column(v) for v in record_defaults])
        _read_files(self, "tf.data.experimental.CsvDataset", filenames, None, leaves)


def _column(default):
    """Of a default value or a type."""
    if hasattr(default, "as_numpy_dtype"):
        return Leaf((), default)
    leaf = _element.of_value(default)
    while isinstance(default, (list, tuple)) and default:
        default = default[0]
    if _unk(leaf):
        return leaf
    return leaf.at((), 0)


def make_csv_dataset(file_pattern, batch_size, column_names=None, column_defaults=None,
                     label_name=None, select_columns=None, field_delim=",", use_quote_delim=True,
                     na_value="", header=True, num_epochs=None, shuffle=True,
                     shuffle_buffer_size=10000, shuffle_seed=None, prefetch_buffer_size=None,
                     num_parallel_reads=None, sloppy=False, num_rows_for_inference=100,
                     compression_type=None, ignore_errors=False, encoding="utf-8"):
    names = select_columns or column_names
    leaves = _tilewise.unknown("the columns of a CSV file")
    if names is not None and not _unk(names):
        types = column_defaults or [None] * len(names)
        leaves = {}
        for column, default in _zip(names, types):
            leaves[column] = _tilewise.unknown("the type of a CSV file's column") \
                if default is None else _column(default)
        if label_name is not None:
            label = leaves.pop(label_name, _tilewise.unknown("the label column of a CSV file"))
            leaves = (leaves, label)
    made = Dataset._made(leaves, UNKNOWN, None, "record_files",
                         "tf.data.experimental.make_csv_dataset", paths=file_pattern)
    if num_epochs != 1:
        made = made.repeat(num_epochs)
    if shuffle:
        made = made.shuffle(shuffle_buffer_size, shuffle_seed)
    return made.batch(batch_size, drop_remainder=num_epochs is None).prefetch(1)


def load(path, element_spec=None, compression=None, reader_func=None, wait=False):
    leaves = _tilewise.unknown("the elements of a data set that was saved")
    if element_spec is not None:
        leaves = _element.of_signature(element_spec)
    return Dataset._made(leaves, None, None, "record_files", "tf.data.Dataset.load", paths=path)


# ---- several data sets


def zip(*args, datasets=None, name=None):
    given = datasets if datasets is not None else args[0] if len(args) == 1 else tuple(args)
    if isinstance(given, list):
        given = tuple(given)
    parts = _element.leaves(given)
    counts = [getattr(d, "_count", None) if hasattr(d, "_leaves") else None for d in parts]
    items = [d.items if hasattr(d, "_leaves") else None for d in parts]
    leaves = _element.mapped(lambda d: getattr(d, "_leaves", d), given)
    known = [n for n in items if n is not None]
    return Dataset._made(leaves, _count.least(counts), min(known) if known else None, "zip",
                         "tf.data.Dataset.zip",
                         inputs=[d for d in parts if hasattr(d, "_leaves")])


def _one_of(datasets, name, **facts):
    datasets = list(datasets)
    leaves, items = datasets[0]._leaves, datasets[0].items
    for other in datasets[1:]:
        leaves = _element.merged(leaves, other._leaves)
        items = _count.joined(items, other.items)
    endless = INFINITE in [d._count for d in datasets]
    made = Dataset._made(leaves, INFINITE if endless else UNKNOWN, items, "zip", name,
                         inputs=datasets, **facts)
    made._own = made._own[:len(datasets[0]._stages)]
    return made


def sample_from_datasets(datasets, weights=None, seed=None, stop_on_empty_dataset=False,
                         rerandomize_each_iteration=None):
    return _one_of(datasets, "tf.data.Dataset.sample_from_datasets", weights=weights, seed=seed)


def choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset=True):
    return _one_of(datasets, "tf.data.Dataset.choose_from_datasets")


# Static methods of data sets.
MAKERS = (from_tensor_slices, from_tensors, from_generator, range, random, counter, list_files,
          load, zip, sample_from_datasets, choose_from_datasets)


def unseen(name):
    """A data set that the program takes from out of sight."""
    return Dataset._made(_tilewise.unknown("the elements of `" + name + "`"), None, None,
                         "unknown_source", name)
