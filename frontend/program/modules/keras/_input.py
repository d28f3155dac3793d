"""Where a functional model begins."""

import _tilewise as _t
from keras import _layer, _policy
from tensorflow import _tensor as _x

_open = {}
_batch = []


def batch_dim():
    """The size that stands for that of the batch, of all inputs."""
    if not _batch:
        _batch.append(_t.open_dim())
    return _batch[0]


def open_dim(position, times=1):
    """A size that stands for one that is not known."""
    key = (position, times)
    if key not in _open:
        _open[key] = _t.open_dim() if times == 1 else _t.open_dim(True)
    return _open[key] * times


def stand_in(shape, code, name):
    """A handle of a tensor whose shape has None where a size is not known.

    Images of any size have sizes that can be halved eight times. They and their targets have one
    example, as tensors have at most 2^45 elements.
    """
    image = len(shape) == 4 and shape[1] is None and shape[2] is None
    one = len(shape) > 3 and len([d for d in shape[1:] if d is None]) > 1
    times = 256 if image and shape[3] is not None and shape[3] <= 16 else 1
    sizes = [d if d is not None else (1 if one else batch_dim()) if i == 0 else
             open_dim(i, times) for i, d in enumerate(shape)]
    return _t.input(sizes, code, name)


def sizes_of(shape):
    if isinstance(shape, int):
        return [shape]
    return [None if d is None else d if _t.is_unknown(d) else _known(int(d))
            for d in (getattr(d, "value", d) for d in shape)]


def _known(size):
    """The size, or that it is not known where it stands for one of data that is not here."""
    return size if _t.open_size(size) is not None else \
        _t.unknown("a size of data that is not read")


class InputLayer(_layer.Layer):
    def __init__(self, shape=None, batch_size=None, dtype=None, sparse=None, ragged=None,
                 batch_shape=None, input_tensor=None, optional=False, name=None,
                 input_shape=None, batch_input_shape=None, **ignored):
        super().__init__(name=name, dtype=dtype if isinstance(dtype, str) else None)
        if shape is None:
            shape = input_shape
        if batch_shape is None:
            batch_shape = batch_input_shape
        if batch_shape is None:
            batch_shape = [batch_size] + sizes_of(() if shape is None else shape)
        self.batch_shape = tuple(sizes_of(batch_shape))
        self._batch_shape = self.batch_shape
        self.sparse, self.optional, self.built = sparse, optional, True
        for d in self.batch_shape:
            if _t.is_unknown(d):
                _t.note("a size of an Input is taken as not given: " + _t.reason(d))
        sizes = [None if _t.is_unknown(d) else d for d in self.batch_shape]
        code = "f32" if dtype is None or _t.is_unknown(dtype) else _x.as_dtype(dtype).code
        if dtype is None and _policy.floatx() != "float32":
            code = _x.as_dtype(_policy.floatx()).code
        self._code = code
        tensor = _x.KerasTensor(stand_in(sizes, code, self.name), None, 0, self.name)
        tensor._source = self
        self._tensor = tensor

    def call(self, *args):
        return None

    @property
    def input(self):
        return self._tensor

    @property
    def output(self):
        return self._tensor

    @property
    def dtype(self):
        return _x.BY_CODE[self._code].name

    @property
    def input_shape(self):
        return [self.batch_shape]


def _with_features(sizes, dtype):
    """The last size of an Input is how many features there are, which layers want to know."""
    if not isinstance(sizes, (list, tuple)) or len(sizes) == 0:
        return sizes
    last = _known(sizes[-1]) if isinstance(sizes[-1], int) else sizes[-1]
    if not _t.is_unknown(last):
        return sizes
    code = "f32" if dtype is None or _t.is_unknown(dtype) else _x.as_dtype(dtype).code
    if code not in _x.FLOATS:
        return sizes
    _t.note("the count is a lower bound: the last size of an Input is not known and taken as 1: " +
            _t.reason(last))
    return tuple(sizes[:-1]) + (1,)


def Input(shape=None, batch_size=None, dtype=None, sparse=None, batch_shape=None, name=None,
          tensor=None, ragged=None, optional=False, type_spec=None, batch_input_shape=None,
          **ignored):
    if tensor is not None:
        if isinstance(tensor, _x.KerasTensor):
            return tensor
        shape, dtype = tensor.shape[1:], tensor.dtype
    if type_spec is not None:
        batch_shape, dtype = type_spec.shape, type_spec.dtype
    if _t.is_unknown(shape):
        return shape
    whole = batch_shape if batch_shape is not None else batch_input_shape
    layer = InputLayer(_with_features(shape, dtype), batch_size, dtype, sparse, ragged,
                       _with_features(whole, dtype), name=name)
    return layer._tensor
