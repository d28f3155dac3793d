"""tf.data.experimental: functions for Dataset.apply, most of them of earlier releases."""

import _tilewise
from tensorflow.data._count import number

AUTOTUNE = -1


def _method(name):
    def make(*args, **kwargs):
        return lambda dataset: getattr(dataset, name)(*args, **kwargs)
    make.__name__ = name
    return make


(unbatch, unique, ignore_errors, scan, take_while, bucket_by_sequence_length, group_by_window,
 assert_cardinality, snapshot, rejection_resample) = [_method(n) for n in (
     "unbatch", "unique", "ignore_errors", "scan", "take_while", "bucket_by_sequence_length",
     "group_by_window", "assert_cardinality", "snapshot", "rejection_resample")]


def _marked(dataset, before, name):
    """The stages behind `before` are parts of one call of that name."""
    at = dataset
    while at is not None and at is not before:
        kind, part, place, facts = at._own[0]
        facts = dict(facts)
        facts["legacy"] = name
        if at._before is before:
            facts["first"] = True
        at._own = ((kind, part, place, facts),)
        at = at._before
    return dataset


def map_and_batch(map_func, batch_size, num_parallel_batches=None, drop_remainder=False,
                  num_parallel_calls=None):
    calls = num_parallel_calls
    if calls is None:
        size, batches = number(batch_size), number(num_parallel_batches)
        calls = AUTOTUNE if size is None else size * (batches or 1)

    def apply(dataset):
        made = dataset.map(map_func, calls).batch(batch_size, drop_remainder)
        return _marked(made, dataset, "map_and_batch")
    return apply


map_and_batch_with_legacy_function = map_and_batch


def shuffle_and_repeat(buffer_size, count=None, seed=None):
    def apply(dataset):
        made = dataset.shuffle(buffer_size, seed).repeat(count)
        return _marked(made, dataset, "shuffle_and_repeat")
    return apply


def parallel_interleave(map_func, cycle_length, block_length=1, sloppy=False,
                        buffer_output_elements=None, prefetch_input_elements=None):
    def apply(dataset):
        made = dataset.interleave(map_func, cycle_length, block_length, cycle_length,
                                  not sloppy if isinstance(sloppy, bool) else None)
        return _marked(made, dataset, "parallel_interleave")
    return apply


def batch_and_drop_remainder(batch_size):
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(batch_size, padded_shapes, padding_values=None):
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values, True)


def dense_to_ragged_batch(batch_size, drop_remainder=False, row_splits_dtype=None):
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder)


def dense_to_sparse_batch(batch_size, row_shape):
    return lambda dataset: dataset.sparse_batch(batch_size, row_shape)


def enumerate_dataset(start=0):
    return lambda dataset: dataset.enumerate(start)


def prefetch_to_device(device, buffer_size=None):
    return lambda dataset: dataset.prefetch_to_device(device, buffer_size)


def copy_to_device(target_device, source_device="/cpu:0"):
    return lambda dataset: dataset._same("other", "copy_to_device", device=target_device)


def cardinality(dataset):
    return dataset.cardinality()


def get_single_element(dataset):
    return dataset.get_single_element()


def get_structure(dataset_or_iterator):
    return dataset_or_iterator.element_spec


def index_table_from_dataset(*args, **kwargs):
    return _tilewise.unknown("a table that is made of a data set")


table_from_dataset = index_table_from_dataset


def save(dataset, path, compression=None, shard_func=None, checkpoint_args=None):
    return dataset.save(path)


def make_batched_features_dataset(file_pattern, batch_size, features, reader=None,
                                  label_key=None, reader_args=None, num_epochs=None, shuffle=True,
                                  shuffle_buffer_size=10000, shuffle_seed=None,
                                  prefetch_buffer_size=None, reader_num_threads=None,
                                  parser_num_threads=None, sloppy_ordering=False,
                                  drop_final_batch=False):
    import tensorflow
    from tensorflow.data._sources import TFRecordDataset
    dataset = TFRecordDataset(file_pattern)
    if num_epochs != 1:
        dataset = dataset.repeat(num_epochs)
    if shuffle:
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)

    def parse(record):
        values = tensorflow.io.parse_single_example(record, features)
        return values if label_key is None else (values, values.pop(label_key))
    made = dataset.map(parse, parser_num_threads or AUTOTUNE)
    made = made.batch(batch_size, drop_final_batch or num_epochs is None)
    return made.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def make_saveable_from_iterator(*args, **kwargs):
    return None


def Counter(start=0, step=1, dtype=None):
    from tensorflow.data._sources import counter
    return counter(start, step, dtype)


def RandomDataset(seed=None):
    from tensorflow.data._sources import random
    return random(seed)
