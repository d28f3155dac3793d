"""Sparse tensors: places, values and a shape; ops work on the dense form."""

import math
import _tilewise
from tensorflow import _dtypes
from tensorflow._array import ints
from tensorflow._shape import TensorShape
from tensorflow._tensor import Tensor, handle, tensor, wrap

_unk = _tilewise.is_unknown


class SparseTensor:
    def __init__(self, indices, values, dense_shape):
        self.indices = tensor(indices, "int64")
        self.values = tensor(values)
        self._sizes = ints(dense_shape, True)
        self.dense_shape = tensor(dense_shape, "int64")

    @property
    def shape(self):
        return TensorShape(None if _unk(self._sizes) else self._sizes)

    def get_shape(self):
        return self.shape

    @property
    def dtype(self):
        return self.values.dtype

    @classmethod
    def from_value(cls, value):
        return value

    def with_values(self, values):
        return SparseTensor(self.indices, values, self._sizes)

    def dense(self):
        if _unk(self._sizes):
            return self._sizes
        values = handle(self.values)
        zero = _tilewise.full(0, self._sizes, _tilewise.dtype(values))
        return wrap(_tilewise.op("tw.scatter_nd", [zero, handle(self.indices), values],
                                 {"kind": "add"}))

    def to_handle(self, code):
        return handle(self.dense(), code)

    def reduced(self, kind, axis, keepdims):
        from tensorflow._math import reduced
        return reduced(kind, self.dense(), axis, keepdims)

    def __mul__(self, other):
        return self.dense() * other

    def __truediv__(self, other):
        return self.dense() / other

    def numpy(self):
        return self.dense().numpy()


class SparseTensorSpec:
    def __init__(self, shape=None, dtype=_dtypes.float32):
        self.shape, self.dtype = TensorShape(shape), _dtypes.as_dtype(dtype)


SparseTensorValue = SparseTensor


def to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    return sp_input.dense() if hasattr(sp_input, "dense") else sp_input


def from_dense(tensor, name=None):
    """All places are kept: which are zero is data."""
    x = wrap(handle(tensor))
    sizes = list(_tilewise.shape(x._h))
    n = math.prod(sizes)
    places = wrap(_tilewise.input([n, max(1, len(sizes))], "s64", "places", None))
    return SparseTensor(places, wrap(_tilewise.op("tw.reshape", [x._h], {"shape": [n]})), sizes)


def sparse_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    from tensorflow._linear import matmul
    a = sp_a.dense() if hasattr(sp_a, "dense") else sp_a
    b = b.dense() if hasattr(b, "dense") else b
    return matmul(a, b, adjoint_a, adjoint_b)


def reduce_sum(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None):
    return sp_input.reduced("sum", axis, keepdims)


def reduce_max(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None):
    return sp_input.reduced("max", axis, keepdims)


def same(sp_input, *args, **kwargs):
    return sp_input


reorder = retain = fill_empty_rows = expand_dims = transpose = same


def reshape(sp_input, shape, name=None):
    return SparseTensor(sp_input.indices, sp_input.values, shape)


def add(a, b, threshold=0):
    a = a.dense() if hasattr(a, "dense") else tensor(a)
    return a + (b.dense() if hasattr(b, "dense") else b)


def softmax(sp_input, name=None):
    from tensorflow._nn import softmax
    return softmax(sp_input.dense())


def concat(axis, sp_inputs, expand_nonconcat_dims=False, name=None):
    from tensorflow._array import concat
    return from_dense(concat([s.dense() for s in sp_inputs], axis))


def eye(num_rows, num_columns=None, dtype=_dtypes.float32, name=None):
    n = min(num_rows, num_columns or num_rows)
    places = [[i, i] for i in range(n)]
    ones = wrap(_tilewise.full(1, [n], _dtypes.code_of(dtype)))
    return SparseTensor(places, ones, [num_rows, num_columns or num_rows])
