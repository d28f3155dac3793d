"""Rows of different lengths as arrays."""

import _tilewise
import numpy

_unk = _tilewise.is_unknown


def _count(rows):
    if _unk(rows):
        return None
    n = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    return None if _unk(n) else n


def _is_known(row):
    return not _unk(row) and isinstance(row, (list, tuple)) and not any([_unk(v) for v in row])


def pad_sequences(sequences, maxlen=None, dtype="int32", padding="pre", truncating="pre",
                  value=0.0):
    n = _count(sequences)
    rows = list(sequences) if n is not None and n <= 256 and \
        isinstance(sequences, (list, tuple)) else None
    known = rows is not None and all([_is_known(row) for row in rows])
    if maxlen is None and known:
        maxlen = max([len(row) for row in rows] + [0])
    if maxlen is None or _unk(maxlen):
        maxlen = _tilewise.open_dim()
    if known and n * maxlen <= 4096 and not (rows and rows[0] and
                                             isinstance(rows[0][0], (list, tuple))):
        return numpy.array([_fitted(list(row), maxlen, padding, truncating, value)
                            for row in rows], dtype) if n else numpy.zeros([0, maxlen], dtype)
    tail = ()
    if not known and hasattr(sequences, "shape") and len(sequences.shape) > 2:
        tail = tuple(sequences.shape[2:])
    return numpy.ndarray((_tilewise.open_dim() if n is None else n, int(maxlen)) + tail, dtype)


def _fitted(row, maxlen, padding, truncating, value):
    if len(row) > maxlen:
        return row[-maxlen:] if truncating == "pre" else row[:maxlen]
    rest = [value] * (maxlen - len(row))
    return rest + row if padding == "pre" else row + rest


def make_sampling_table(size, sampling_factor=1e-5):
    return numpy.ndarray([size], "float64")


def skipgrams(sequence, vocabulary_size, *args, **kwargs):
    return (_tilewise.unknown("pairs of words of the text"),
            _tilewise.unknown("labels of pairs of words"))
