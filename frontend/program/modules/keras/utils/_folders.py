"""Data sets of folders of files: shapes as the program asks for, numbers of files not known."""

import _tilewise
from _tilewise_public import folder
from tensorflow import _dtypes

_unk = _tilewise.is_unknown
CHANNELS = {"rgb": 3, "rgba": 4, "grayscale": 1}


def _leaf(shape, dtype):
    """tf.data is read when it is asked for."""
    from tensorflow.data._element import Leaf
    return Leaf(shape, dtype)


def _source(*args, **facts):
    from tensorflow.data._dataset import Dataset
    return Dataset._made(*args, **facts)


def classes_of(labels, class_names):
    """How many classes there are: as many as the program names."""
    if class_names is not None and not _unk(class_names):
        return len(class_names)
    if isinstance(labels, (list, tuple)) and labels:
        return len(set(labels))
    return None


def _label(label_mode, classes):
    if label_mode == "int":
        return _leaf((), _dtypes.int32)
    if label_mode == "binary":
        return _leaf((1,), _dtypes.float32)
    if classes is None:
        return _tilewise.unknown("how many classes a folder has")
    return _leaf((classes,), _dtypes.float32)


def folder_dataset(what, load, leaf, directory, labels, label_mode, class_names, batch_size,
                   shuffle, seed, subset, split):
    """Paths, a function that reads one file (its name and what it calls), batches, prefetch."""
    if subset == "both":
        return tuple([folder_dataset(what, load, leaf, directory, labels, label_mode,
                                     class_names, batch_size, shuffle, seed, part, split)
                      for part in ("training", "validation")])
    files, names = folder(directory, split, subset)
    class_names = names if class_names is None else class_names
    if label_mode is not None and labels is not None:
        leaf = (leaf, _label(label_mode, classes_of(labels, class_names)))
    made = _source(leaf, files, files, "list_files", "keras.utils." + what, paths=directory,
                   shuffle=shuffle, seed=seed)
    if shuffle:
        made = made.shuffle(8 * batch_size if isinstance(batch_size, int) else 1024, seed)
    made = made._then("map", "map", leaf, files, files, function=load, num_parallel_calls=-1,
                      deterministic=None)
    if batch_size is not None:
        made = made.batch(batch_size)
    made = made.prefetch(-1)
    made.class_names = class_names if class_names is not None else \
        _tilewise.unknown("the classes of a folder")
    made.file_paths = _tilewise.unknown("the files of a folder")
    return made


def image_dataset_from_directory(
        directory, labels="inferred", label_mode="int", class_names=None, color_mode="rgb",
        batch_size=32, image_size=(256, 256), shuffle=True, seed=None, validation_split=None,
        subset=None, interpolation="bilinear", follow_links=False, crop_to_aspect_ratio=False,
        pad_to_aspect_ratio=False, data_format=None, verbose=True, **kwargs):
    n = CHANNELS.get(color_mode, 3)
    size = (image_size, image_size) if isinstance(image_size, int) else image_size
    size = (None, None) if _unk(size) else tuple([None if _unk(d) else int(d) for d in size])
    shape = (n,) + size if data_format == "channels_first" else size + (n,)
    load = ("load_image", "tensorflow.io.read_file", "tensorflow.io.decode_image",
            "tensorflow.image.resize")
    return folder_dataset("image_dataset_from_directory", load,
                          _leaf(shape, _dtypes.float32), directory, labels, label_mode,
                          class_names, batch_size, shuffle, seed, subset, validation_split)


def text_dataset_from_directory(
        directory, labels="inferred", label_mode="int", class_names=None, batch_size=32,
        max_length=None, shuffle=True, seed=None, validation_split=None, subset=None,
        follow_links=False, verbose=True, **kwargs):
    load = ("read_text", "tensorflow.io.read_file")
    return folder_dataset("text_dataset_from_directory", load, _leaf((), _dtypes.string),
                          directory, labels, label_mode, class_names, batch_size, shuffle, seed,
                          subset, validation_split)


def audio_dataset_from_directory(
        directory, labels="inferred", label_mode="int", class_names=None, batch_size=32,
        sampling_rate=None, output_sequence_length=None, ragged=False, shuffle=True, seed=None,
        validation_split=None, subset=None, follow_links=False, verbose=True, **kwargs):
    leaf = _leaf((output_sequence_length, 1), _dtypes.float32)
    load = ("read_audio", "tensorflow.io.read_file", "tensorflow.audio.decode_wav")
    return folder_dataset("audio_dataset_from_directory", load, leaf, directory, labels,
                          label_mode, class_names, batch_size, shuffle, seed, subset,
                          validation_split)


def _rows(data):
    """How many rows, and the shape and the type of one."""
    import numpy
    if _unk(data):
        return None, None, _dtypes.float32
    if hasattr(data, "_h"):
        shape, dtype = data.shape.as_list(), data.dtype
    else:
        data = numpy.array(data)
        if _unk(data):
            return None, None, _dtypes.float32
        shape = [_tilewise.open_size(n) for n in data.shape]
        dtype = _dtypes.as_dtype(data.dtype)
    return shape[0], tuple(shape[1:]), dtype


def timeseries_dataset_from_array(
        data, targets, sequence_length, sequence_stride=1, sampling_rate=1, batch_size=128,
        shuffle=False, seed=None, start_index=None, end_index=None):
    rows, shape, dtype = _rows(data)
    leaf = _tilewise.unknown("the columns of the data") if shape is None or \
        _unk(sequence_length) else _leaf((int(sequence_length),) + shape, dtype)
    items = None
    if rows is not None and not any([_unk(v) for v in (sequence_length, sequence_stride,
                                                       sampling_rate, start_index, end_index)]):
        first, last = start_index or 0, end_index if end_index is not None else rows
        items = last - first - (sequence_length - 1) * sampling_rate
    if targets is not None:
        n, each, kind = _rows(targets)
        leaf = (leaf, _tilewise.unknown("the targets") if each is None else _leaf(each, kind))
        items = min(items, n) if items is not None and n is not None else items
    if items is not None:
        items = -(-max(items, 0) // sequence_stride)
    made = _source(leaf, items, items, "range",
                   "keras.utils.timeseries_dataset_from_array")
    made = made._then("map", "map", leaf, items, items, function="sequence",
                      num_parallel_calls=-1, deterministic=None)
    if shuffle:
        made = made.shuffle(8 * batch_size if batch_size is not None else 1024, seed)
    return made.prefetch(-1) if batch_size is None else made.batch(batch_size).prefetch(-1)


def split_dataset(dataset, left_size=None, right_size=None, shuffle=False, seed=None):
    """The first elements and the others."""
    if _unk(dataset):
        return dataset, dataset
    if not hasattr(dataset, "take"):
        from tensorflow.data import Dataset
        dataset = Dataset.from_tensor_slices(
            tuple(dataset) if isinstance(dataset, list) else dataset)
    n = dataset._count
    known = n is not None and n >= 0 and not _unk(left_size) and not _unk(right_size)
    if isinstance(left_size, int) and known:
        first = left_size
    elif isinstance(right_size, int) and known:
        first = n - right_size
    elif known:
        share = left_size if left_size is not None else \
            1.0 - (right_size if right_size is not None else 0.0)
        first = round(n * share)
    else:
        first = left_size if isinstance(left_size, int) else _tilewise.unknown("a share of data")
    left, right = dataset.take(first), dataset.skip(first)
    return left, right
