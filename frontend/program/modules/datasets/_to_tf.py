"""Dataset.to_tf_dataset."""

import _tilewise
from tensorflow.data import _count, _element
from tensorflow.data._dataset import Dataset

_unk = _tilewise.is_unknown


def made(table, batch_size, columns, shuffle, collate, drop, collate_args, labels):
    row = table._row()
    size = batch_size
    if not _unk(row) and collate is not None:
        try:
            row = collate([row] * 2, **collate_args)
            row = _element.drop_dim(_element.of_value(dict(row)))
        except Exception as error:
            row = _tilewise.unknown("what a collate function makes: " + str(error))
    else:
        row = _element.of_value(_plain(row))
    columns, labels = _names(columns), _names(labels)
    leaves = row
    if not _unk(row) and columns is not None:
        wanted = [c for c in columns if c in row and not (labels and c in labels)]
        leaves = {c: row[c] for c in wanted}
        if len(wanted) == 1 and len(columns) == 1:
            leaves = leaves[wanted[0]]
    if not _unk(row) and labels:
        target = {c: row[c] for c in labels if c in row}
        leaves = (leaves, target[labels[0]] if len(labels) == 1 and labels[0] in target
                  else target)
    source = Dataset._made(leaves, table._count, table._count, "named_dataset",
                           "datasets.Dataset.to_tf_dataset")
    if shuffle:
        source = source.shuffle(_count.number(table._count))
    return source if size is None else source.batch(size, drop)


def _names(x):
    return [x] if isinstance(x, str) else x


def _plain(row):
    """Columns as arrays, where they have a size."""
    if _unk(row):
        return row
    import numpy
    return {k: numpy.array(v) if hasattr(v, "channels") else v for k, v in row.items()}
