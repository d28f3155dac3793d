"""tf.estimator.inputs: arrays as data sets."""

import _tilewise as _t


def numpy_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000,
                   num_threads=1):
    def input_fn():
        from tensorflow.data import Dataset
        data = _by_library(Dataset.from_tensor_slices(x if y is None else (x, y)))
        return _in_epochs(data, num_epochs).batch(batch_size)
    return input_fn


def _by_library(data):
    """Its stages stand in the library: the program has none that could be changed."""
    data._own[0][3]["loader"] = "input_fn"
    return data


def _in_epochs(data, num_epochs):
    return data if num_epochs == 1 else data.repeat(num_epochs)


def pandas_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None,
                    queue_capacity=1000, num_threads=1, target_column="target"):
    """Rows of a table; of one that is not read each column is numbers."""
    def input_fn():
        from tensorflow.data import Dataset
        names = _t.unknown("a table") if _t.is_unknown(x) else getattr(x, "columns", None)
        if not _t.is_unknown(names) and hasattr(names, "__iter__") and len(list(names)):
            features = {name: x[name] for name in names}
            if not any([_t.is_unknown(v) for v in features.values()]):
                data = Dataset.from_tensor_slices(features if y is None else (features, y))
                data = _by_library(data)
                return _in_epochs(data, num_epochs).batch(batch_size)
        from tensorflow._tf1.premade import AnyRow
        if _t.is_unknown(batch_size):
            return batch_size
        _t.note("the table that trains is not read; each of its columns is taken as numbers")
        row = AnyRow(batch_size)
        return (row, None) if y is None else (row, row[target_column])
    return input_fn
