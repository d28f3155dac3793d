"""Texts, and data whose shape only the program at work knows."""

import _tilewise
from tensorflow import _dtypes, _shape
from tensorflow._tensor import Tensor, wrap

_unk = _tilewise.is_unknown


class TextTensor(Tensor):
    """A tensor of texts: known ones, or only their shape."""
    _strings = True

    def __init__(self, shape=(), values=None):
        self._sizes, self._values = list(shape), values

    def __getattr__(self, name):
        if name != "_h":
            raise AttributeError(name)
        h = _tilewise.input(self._sizes, "u8", "text", 0 if self._sizes else None) \
            if 0 not in self._sizes else _tilewise.full(0, self._sizes, "u8")
        self._h = h
        return h

    @property
    def dtype(self):
        return _dtypes.string

    @property
    def shape(self):
        return _shape.made([_tilewise.open_size(n) for n in self._sizes])

    @property
    def ndim(self):
        return len(self._sizes)

    def __len__(self):
        return self._sizes[0]

    def __iter__(self):
        if self._values is not None:
            return iter([text_tensor(v) for v in self._values])
        return iter([TextTensor(self._sizes[1:])])

    def numpy(self):
        if self._values is None:
            return _tilewise.unknown("texts that are data")
        if not self._sizes:
            v = self._values
            return v if isinstance(v, bytes) else v.encode()
        import numpy
        return numpy.array(self._values)

    _numpy = numpy

    def set_shape(self, shape):
        pass

    def reshaped(self, sizes):
        n = 1
        for s in self._sizes:
            n *= s
        known = 1
        for s in sizes:
            known *= s if s >= 0 else 1
        return TextTensor([n // known if s < 0 else s for s in sizes])

    def element(self, index):
        items = list(index) if isinstance(index, tuple) else [index]
        values, sizes = self._values, []
        for i, n in enumerate(self._sizes):
            item = items[i] if i < len(items) else slice(None)
            if isinstance(item, slice):
                sizes.append(len(range(*item.indices(n))))
                values = values[item] if values is not None and i == 0 else None
            elif isinstance(item, int):
                values = values[item] if values is not None and i == 0 else None
            else:
                values = None
                sizes.extend(getattr(item, "shape", ()))
        return TextTensor(sizes, values)

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return compared("EQ", self, other)

    def __ne__(self, other):
        return compared("NE", self, other)

    def __add__(self, other):
        a, b = texts_of(self), texts_of(other)
        if isinstance(a, str) and isinstance(b, str):
            return text_tensor(a + b)
        return TextTensor(self._sizes)

    def __radd__(self, other):
        a, b = texts_of(self), texts_of(other)
        if isinstance(a, str) and isinstance(b, str):
            return text_tensor(b + a)
        return TextTensor(self._sizes)

    def __repr__(self):
        return "<tf.Tensor: shape=" + str(self.shape) + ", dtype=string>"

    def __bool__(self):
        return _tilewise.unknown("the truth of a text")


def text_tensor(values):
    sizes, part = [], values
    while isinstance(part, (list, tuple)):
        sizes.append(len(part))
        part = part[0] if part else None
    return TextTensor(sizes, values)


def texts_of(x):
    """The known text or texts, or None."""
    if isinstance(x, TextTensor):
        x = x._values
    if isinstance(x, bytes):
        return x.decode()
    return x if isinstance(x, (str, list)) else None


def compared(direction, a, b):
    x, y = texts_of(a), texts_of(b)
    if isinstance(x, str) and isinstance(y, str):
        return wrap(_tilewise.known((x == y) == (direction == "EQ"), "pred"))
    sizes = a._sizes if isinstance(a, TextTensor) else b._sizes if isinstance(b, TextTensor) \
        else list(_tilewise.shape(a._h))
    return wrap(_tilewise.input(list(sizes), "pred", "comparison of texts", None))


class Shapeless(Tensor):
    """Data of a known type whose rank is not known, until the program says it."""

    def __init__(self, code, what):
        self._pending, self._what = code, what

    def __getattr__(self, name):
        if name != "_h":
            raise AttributeError(name)
        return _tilewise.unknown("the shape of " + self._what)

    @property
    def shape(self):
        if "_h" in self.__dict__:
            return Tensor.shape.fget(self)
        return _shape.TensorShape(None)

    @property
    def dtype(self):
        return _dtypes.BY_CODE[self._pending]

    def set_shape(self, shape):
        sizes = _shape.TensorShape(shape)
        if sizes.no_rank:
            return
        sizes = [_tilewise.open_dim() if n is None else n for n in sizes]
        self._h = _tilewise.input(sizes, self._pending, self._what, None)

    def reshaped(self, shape):
        from tensorflow._array import ints
        if "_h" in self.__dict__:
            return wrap(_tilewise.op("tw.reshape", [self._h], {"shape": ints(shape, True)}))
        made = Shapeless(self._pending, self._what)
        sizes = ints(shape, True)
        if _unk(sizes):
            return sizes
        made.set_shape([None if n == -1 else n for n in sizes])
        return wrap(made._h)

    def __getitem__(self, index):
        """A part of data whose rank is not known is such data as well."""
        if "_h" in self.__dict__:
            return Tensor.__getitem__(self, index)
        return Shapeless(self._pending, self._what)


def outside(shape, dtype, what="data", batch_dim=None):
    """Data: of this shape with None for sizes that are not known; None: no known rank."""
    d = _dtypes.as_dtype(dtype)
    if d.kind == "O":
        return TextTensor([_tilewise.open_dim() if n is None else n
                           for n in (() if shape is None else shape)])
    if shape is None or getattr(shape, "no_rank", False):
        return Shapeless(d.code, what)
    sizes = [_tilewise.open_dim() if n is None else n for n in _shape.TensorShape(shape)]
    if 0 in sizes:
        return wrap(_tilewise.full(0, sizes, d.code))
    return wrap(_tilewise.input(sizes, d.code, what, batch_dim))
