"""Stands for any module within tensorflow.python: names are looked for where they are public."""

import importlib

import _tilewise as _t
import tensorflow.compat.v1 as _tf

_PLACES = ("tensorflow._tf1.nn", "tensorflow.math", "tensorflow._tf1.train",
           "tensorflow._tf1.tpu", "tensorflow.estimator", "tensorflow._tf1.rnn_cell",
           "tensorflow.image", "tensorflow.linalg", "tensorflow.data", "tensorflow.random",
           "tensorflow.distribute", "tensorflow.errors", "tensorflow.io",
           "tensorflow._tf1.losses", "tensorflow._tf1.layers")


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    return _tf.cond(pred, true_fn, false_fn)


def smart_constant_value(pred):
    from tensorflow._tensor import number_of
    return number_of(pred)


constant_value = smart_constant_value


def switch(data, pred, dtype=None, name=None):
    """Both branches get the data."""
    return data, data


def merge(inputs, name=None):
    """One of the branches is as good as another, for they are alike."""
    return inputs[0], None


def convert_n_to_tensor(values, dtype=None):
    return [_tf.convert_to_tensor(v, dtype) for v in values]


def tf_export(*args, **kw):
    return lambda f: f


keras_export = estimator_export = deprecated = deprecated_args = deprecated_endpoints = tf_export
deprecated_arg_values = tf_export


def assign_moving_average(variable, value, decay, zero_debias=True, name=None):
    from tensorflow._tf1.graph import Operation
    return Operation(name="AssignMovingAvg")


def with_dependencies(dependencies, output_tensor, name=None):
    from tensorflow._tf1.ops import with_dependencies as plain
    return plain(dependencies, output_tensor)


def merge_all(*args, **kw):
    return None


def dimension_value(dimension):
    return getattr(dimension, "value", dimension)


def list_local_devices(*args, **kw):
    return []


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    found = getattr(_tf, name, None)
    if found is not None and not _t.is_unknown(found):
        return found
    for place in _PLACES:
        found = getattr(importlib.import_module(place), name, None)
        if found is not None and not _t.is_unknown(found):
            return found
    raise AttributeError(name)
