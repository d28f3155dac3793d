"""Ragged tensors: rows whose lengths are data, known by their number and the longest."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._array import ints
from tensorflow._shape import TensorShape, made
from tensorflow._tensor import Tensor, convert, handle, number_of, tensor, wrap

_unk = _tilewise.is_unknown


class RaggedTensor:
    """`_rows` sizes before the ragged dim, `_width` the longest row, `_inner` sizes behind it."""

    def __init__(self, rows, width, inner, dtype, values=None, lengths=None):
        self._rows, self._width, self._inner = list(rows), width, list(inner)
        self.dtype = dtype
        self._values, self._lengths = values, lengths

    @classmethod
    def from_tensor(cls, tensor, lengths=None, padding=None, ragged_rank=1, **ignored):
        x = wrap(handle(tensor))
        sizes = list(_tilewise.shape(x._h))
        return cls(sizes[:1], sizes[1], sizes[2:], x.dtype, None, lengths)._with(x)

    def _with(self, padded):
        self._padded = padded
        return self

    @classmethod
    def _from_values(cls, values, rows, **ignored):
        values = tensor(values)
        return cls([rows], _tilewise.open_dim(), list(_tilewise.shape(values._h))[1:],
                   values.dtype, values)

    @classmethod
    def from_row_splits(cls, values, row_splits, name=None, validate=True):
        return cls._from_values(values, len(tensor(row_splits)) - 1)

    @classmethod
    def from_row_lengths(cls, values, row_lengths, name=None, validate=True):
        return cls._from_values(values, len(tensor(row_lengths)))

    from_row_starts = from_row_limits = from_row_lengths

    @classmethod
    def from_value_rowids(cls, values, value_rowids, nrows=None, name=None, validate=True):
        n = number_of(nrows)
        return cls._from_values(values, _tilewise.open_dim() if n is None else int(n))

    @property
    def shape(self):
        return made([_tilewise.open_size(n) for n in self._rows] + [None] +
                    [_tilewise.open_size(n) for n in self._inner])

    def get_shape(self):
        return self.shape

    @property
    def ragged_rank(self):
        return 1

    def dense_sizes(self):
        return self._rows + [self._width] + self._inner

    def to_tensor(self, default_value=None, name=None, shape=None):
        sizes = self.dense_sizes()
        if shape is not None:
            wanted = list(TensorShape(shape)) if not isinstance(shape, Tensor) else ints(shape)
            sizes = [n if w is None or w < 0 else w for n, w in zip(sizes, wanted)]
        padded = getattr(self, "_padded", None)
        if padded is not None and list(_tilewise.shape(padded._h)) == sizes:
            return padded
        if self.dtype.kind == "O":
            from tensorflow._strings import TextTensor
            return TextTensor(sizes)
        return wrap(_tilewise.input(sizes, self.dtype.code, "padded rows", None))

    def to_handle(self, code):
        return handle(self.to_tensor(), code)

    def dense(self):
        return self.to_tensor()

    @property
    def values(self):
        if self._values is None:
            n = 1
            for size in self._rows + [self._width]:
                n *= size
            if self.dtype.kind == "O":
                from tensorflow._strings import TextTensor
                self._values = TextTensor([n] + self._inner)
            else:
                x = self.to_tensor()
                self._values = wrap(_tilewise.op("tw.reshape", [x._h],
                                                 {"shape": [n] + self._inner}))
        return self._values

    flat_values = values

    def with_values(self, values):
        """Other values of the same rows."""
        values = tensor(values)
        inner = list(_tilewise.shape(values._h))[1:] if values.dtype.kind != "O" \
            else values._sizes[1:]
        return RaggedTensor(self._rows, self._width, inner, values.dtype, values, self._lengths)

    with_flat_values = with_values

    def row_lengths(self, axis=1, name=None):
        if self._lengths is not None:
            return tensor(self._lengths)
        return wrap(_tilewise.input(self._rows[:1], "s64", "lengths of rows", None))

    @property
    def row_splits(self):
        return wrap(_tilewise.input([self._rows[0] + 1], "s64", "row splits", None))

    @property
    def nested_row_splits(self):
        return (self.row_splits,)

    def value_rowids(self, name=None):
        return wrap(_tilewise.input([len(self.values)], "s64", "row of each value", None))

    def nrows(self, out_type=None, name=None):
        return tensor(self._rows[0])

    def bounding_shape(self, axis=None, name=None, out_type=None):
        sizes = self.dense_sizes()
        return tensor(sizes if axis is None else sizes[axis])

    def dynamic_shape(self):
        return tensor(self.dense_sizes())

    def reduced(self, kind, axis, keepdims):
        from tensorflow._math import reduced
        return reduced(kind, self.to_tensor(), axis, keepdims)

    def expanded(self, axis):
        from tensorflow._array import expand_dims
        return expand_dims(self.to_tensor(), axis)

    def concatenated(self, values, axis):
        if axis in (1, -1) and not self._inner:
            width = 0
            for v in values:
                width += v._width if isinstance(v, RaggedTensor) else v.shape[1]
            return RaggedTensor(self._rows, width, self._inner, self.dtype)
        from tensorflow._array import concat
        return concat([v.to_tensor() if isinstance(v, RaggedTensor) else v for v in values], axis)

    def merge_dims(self, outer_axis, inner_axis):
        x = self.values
        return x if outer_axis == 0 else self

    def same(self):
        return self

    def numpy(self):
        return _tilewise.unknown("the rows of a ragged tensor")

    to_list = numpy

    def __getitem__(self, index):
        items = list(index) if isinstance(index, tuple) else [index]
        if len(items) > 1 and isinstance(items[1], slice) and isinstance(items[0], slice) and \
                items[0] == slice(None):
            stop = items[1].stop
            width = self._width if stop is None or stop < 0 or items[1].start else \
                min(stop, self._width)
            return RaggedTensor(self._rows, width, self._inner, self.dtype, None, None)
        return self.to_tensor()[index]

    def __len__(self):
        return self._rows[0]

    def __add__(self, other):
        return self.with_values(self.values + number_of(other))

    def __iter__(self):
        return iter([self.to_tensor()[0]])


class RaggedTensorSpec:
    def __init__(self, shape=None, dtype=_dtypes.float32, ragged_rank=None,
                 row_splits_dtype=_dtypes.int64):
        self.shape, self.dtype = TensorShape(shape), _dtypes.as_dtype(dtype)
        self.ragged_rank = ragged_rank


def constant(pylist, dtype=None, ragged_rank=None, inner_shape=None, name=None,
             row_splits_dtype=_dtypes.int64):
    lengths = [len(row) for row in pylist]
    flat = [v for row in pylist for v in row]
    values = tensor(flat, dtype)
    width = max(lengths) if lengths else 0
    if values.dtype.kind == "O":
        return RaggedTensor([len(pylist)], width, [], values.dtype, values, lengths)
    return RaggedTensor([len(pylist)], width, list(_tilewise.shape(values._h))[1:], values.dtype,
                        values, lengths)


def stack(values, axis=0, name=None):
    parts = [tensor(v) for v in values]
    width = max([int(p.shape[0] or _tilewise.open_dim()) for p in parts])
    return RaggedTensor([len(parts)], width, [], parts[0].dtype)


def boolean_mask(data, mask, name=None):
    x = tensor(data)
    sizes = list(_tilewise.shape(x._h))
    return RaggedTensor(sizes[:1], sizes[1], sizes[2:], x.dtype)._with(x)


def ragged_range(starts, limits=None, deltas=1, dtype=None, name=None, row_splits_dtype=None):
    n = len(tensor(limits if limits is not None else starts))
    return RaggedTensor([n], _tilewise.open_dim(), [], _dtypes.int32)


def map_flat_values(op, *args, **kwargs):
    first = [a for a in args if isinstance(a, RaggedTensor)][0]
    return first.with_values(op(*[a.values if isinstance(a, RaggedTensor) else a for a in args],
                                **kwargs))


def row_splits_to_segment_ids(splits, name=None, out_type=None):
    return _tilewise.unknown("rows of values")
