"""tf.feature_column."""

import _tilewise as _t
from tensorflow import _columns as _c

_unk = _t.is_unknown


def numeric_column(key, shape=(1,), default_value=None, dtype=None, normalizer_fn=None):
    return _c.Numeric(key, shape, default_value, dtype, normalizer_fn)


def bucketized_column(source_column, boundaries):
    return _c.Bucketized(source_column, boundaries)


def categorical_column_with_identity(key, num_buckets, default_value=None):
    return _c.Categorical(key, num_buckets)


def categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=None):
    return _c.Categorical(key, hash_bucket_size, None, True)


def categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1,
                                            num_oov_buckets=0):
    if _unk(vocabulary_list):
        n = vocabulary_list
    elif _unk(getattr(vocabulary_list, "shape", ())):
        n = _t.unknown("the vocabulary of column " + str(key))
    else:
        n = len(vocabulary_list)
    return _c.Categorical(key, n if _unk(n) else n + num_oov_buckets, None, True)


def categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None,
                                            dtype=None, default_value=None, num_oov_buckets=0,
                                            file_format=None):
    if vocabulary_size is None:
        n = _t.unknown("how many words the vocabulary of column " + str(key) + " has")
    else:
        n = vocabulary_size + num_oov_buckets
    return _c.Categorical(key, n, None, True)


def crossed_column(keys, hash_bucket_size, hash_key=None):
    return keys if _unk(keys) else _c.Crossed(keys, hash_bucket_size, hash_key)


def weighted_categorical_column(categorical_column, weight_feature_key, dtype=None):
    return _c.Weighted(categorical_column, weight_feature_key)


def indicator_column(categorical_column):
    return _c.Indicator(categorical_column)


def embedding_column(categorical_column, dimension, combiner="mean", initializer=None,
                     ckpt_to_load_from=None, tensor_name_in_ckpt=None, max_norm=None,
                     trainable=True, use_safe_embedding_lookup=True):
    return _c.Embedding(categorical_column, dimension, combiner)


def shared_embeddings(categorical_columns, dimension, combiner="mean", initializer=None,
                      shared_embedding_collection_name=None, *args, **kw):
    name = shared_embedding_collection_name or "_".join(
        sorted([str(c.name) for c in categorical_columns])) + "_shared_embedding"
    return [_c.Embedding(c, dimension, combiner, name) for c in categorical_columns]


shared_embedding_columns = shared_embeddings
sequence_categorical_column_with_identity = categorical_column_with_identity
sequence_categorical_column_with_hash_bucket = categorical_column_with_hash_bucket
sequence_categorical_column_with_vocabulary_list = categorical_column_with_vocabulary_list
sequence_categorical_column_with_vocabulary_file = categorical_column_with_vocabulary_file
sequence_numeric_column = numeric_column

# Names of tf.contrib.layers.
real_valued_column = numeric_column
one_hot_column = indicator_column


def sparse_column_with_hash_bucket(column_name, hash_bucket_size, *args, **kw):
    return _c.Categorical(column_name, hash_bucket_size, None, True)


def sparse_column_with_integerized_feature(column_name, bucket_size, *args, **kw):
    return _c.Categorical(column_name, bucket_size)


def sparse_column_with_keys(column_name, keys, default_value=-1, combiner="sum", dtype=None):
    return categorical_column_with_vocabulary_list(column_name, keys)


def _held(wanted, trainable=True):
    from tensorflow._tf1.scopes import get_variable
    return {name: get_variable(name, shape, trainable=trainable)
            for name, shape in wanted.items()}


def input_layer(features, feature_columns, weight_collections=None, trainable=True,
                cols_to_vars=None, cols_to_output_tensors=None):
    columns = _c.flat(feature_columns)
    if _unk(columns):
        return columns
    from tensorflow._tf1.scopes import variable_scope
    with variable_scope("input_layer"):
        return _c.dense(features, columns, _held(_c.wants(columns), trainable))


input_from_feature_columns = input_layer


def linear_model(features, feature_columns, units=1, sparse_combiner="sum",
                 weight_collections=None, trainable=True, cols_to_vars=None):
    columns = _c.flat(feature_columns)
    if _unk(columns):
        return columns
    from tensorflow._tf1.scopes import variable_scope
    with variable_scope("linear_model"):
        return _c.linear(features, columns, _held(_c.linear_wants(columns, units), trainable),
                         units)


def make_parse_example_spec(feature_columns):
    from tensorflow import _dtypes, io
    columns = _c.flat(feature_columns)
    if _unk(columns):
        return columns
    found = {}
    stack = list(columns)
    while stack:
        c = stack.pop()
        inner = getattr(c, "inner", None) or getattr(c, "source_column", None)
        if inner is not None:
            stack.append(inner)
        elif isinstance(c, _c.Crossed):
            stack.extend([k for k in c.keys if not isinstance(k, str)])
            found.update({k: io.VarLenFeature(_dtypes.string) for k in c.keys
                          if isinstance(k, str)})
        elif c.categorical:
            found[c.key] = io.VarLenFeature(_dtypes.string if c.is_text else _dtypes.int64)
        else:
            found[c.key] = io.FixedLenFeature(list(c.shape), c.dtype or _dtypes.float32)
    return found


make_parse_example_spec_v2 = make_parse_example_spec
