"""clu.deterministic_data."""

import _tilewise
import tensorflow as tf


class ShardOptions:
    AUTO = 0


class RemainderOptions:
    DROP = 0
    BALANCE_ON_PROCESSES = 1


def get_read_instruction_for_host(split, num_examples=None, *args, **kw):
    _tilewise.record("host_share")
    return split


def create_dataset(dataset_builder, *, split=None, batch_dims=(), rng=None, filter_fn=None,
                   preprocess_fn=None, decoders=None, cache=False, num_epochs=None, shuffle=True,
                   shuffle_buffer_size=10_000, prefetch_size=4, pad_up_to_batches=None,
                   cardinality=None, drop_remainder=True):
    """Examples are shuffled, repeated and prepared in parallel, then batched, the inner dim first;
    each takes a seed of its own along where there is one."""
    ds = dataset_builder.as_dataset(split=split, shuffle_files=False, decoders=decoders)
    if filter_fn is not None:
        ds = ds.filter(filter_fn)
    if cache:
        ds = ds.cache()
    if shuffle:
        ds = ds.shuffle(shuffle_buffer_size)
    ds = ds.repeat(num_epochs)
    if rng is not None:
        ds = ds.map(_with_seed, num_parallel_calls=tf.data.experimental.AUTOTUNE)
    if preprocess_fn is not None:
        ds = ds.map(preprocess_fn, num_parallel_calls=tf.data.experimental.AUTOTUNE)
    for n in list(batch_dims or ())[::-1]:
        ds = ds.batch(n, drop_remainder=drop_remainder)
    return ds.prefetch(prefetch_size)


def _with_seed(features):
    features["rng"] = tf.zeros([2], tf.int32)
    return features
