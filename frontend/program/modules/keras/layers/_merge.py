"""Layers that join several tensors."""

from keras._layer import Layer
from keras._leaf import concat, dims, dot, mul, op, reshape, wrap
from keras.layers._core import Leaf
from tensorflow import _open


class _Merge(Leaf):
    _kind = "add"

    def __init__(self, **kwargs):
        Layer.__init__(self, **kwargs)
        self.supports_masking = True

    def call(self, inputs):
        return wrap(self._joined(inputs))

    def _joined(self, inputs):
        if not isinstance(inputs, (list, tuple)) or len(inputs) < 1:
            raise ValueError("A merge layer should be called on a list of inputs.")
        hs = [x._h for x in inputs]
        ranks = [len(dims(h)) for h in hs]
        most = max(ranks)
        if min(ranks) != most:
            hs = [_raised(h, most) for h in hs]
        y = hs[0]
        attrs = {"kind": self._kind}
        for h in hs[1:]:
            y = op("tw.binary", [y, h], attrs)
        return y

    def compute_mask(self, inputs, mask=None):
        masks = [m for m in mask or () if m is not None] if isinstance(mask, (list, tuple)) else []
        if not masks or len(masks) != len(inputs):
            return None
        y = masks[0]._h
        for m in masks[1:]:
            y = op("tw.binary", [y, m._h], {"kind": "or"})
        return wrap(y)


def _raised(h, rank):
    """New dims come behind that of the batch."""
    shape = dims(h)
    return h if len(shape) == rank else reshape(h, shape[:1] + (1,) * (rank - len(shape))
                                                + shape[1:])


class Add(_Merge):
    pass


class Subtract(_Merge):
    _kind = "subtract"

    def call(self, inputs):
        if len(inputs) != 2:
            raise ValueError("A `Subtract` layer should be called on exactly 2 inputs.")
        return wrap(self._joined(inputs))


class Multiply(_Merge):
    _kind = "multiply"


class Average(_Merge):
    def call(self, inputs):
        return wrap(mul(self._joined(inputs), 1.0 / len(inputs)))


class Maximum(_Merge):
    _kind = "maximum"


class Minimum(_Merge):
    _kind = "minimum"


class Concatenate(_Merge):
    def __init__(self, axis=-1, **kwargs):
        _Merge.__init__(self, **kwargs)
        self.axis = axis

    def call(self, inputs):
        hs = _open.alike([x._h for x in inputs], self.axis)
        return wrap(op("tw.concatenate", hs, {"dim": self.axis}))

    def compute_mask(self, inputs, mask=None):
        """Where an input has no mask all of its places count."""
        if not isinstance(mask, (list, tuple)) or not [m for m in mask if m is not None]:
            return None
        axis, rank = self.axis, len(dims(inputs[0]._h))
        parts = []
        for x, m in zip(inputs, mask):
            h = x._h
            if m is None:
                parts.append(op("tw.compare", [h, h], {"direction": "EQ"}))
            elif len(dims(m._h)) < rank:
                shape = dims(m._h) + (1,) * (rank - len(dims(m._h)))
                parts.append(op("tw.broadcast_in_dim", [reshape(m._h, shape)],
                                {"shape": list(dims(h))}))
            else:
                parts.append(m._h)
        return wrap(op("tw.reduce", [concat(parts, axis)], {"kind": "all", "dims": [rank - 1]}))


class Dot(_Merge):
    def __init__(self, axes, normalize=False, **kwargs):
        _Merge.__init__(self, **kwargs)
        self.axes, self.normalize = axes, normalize

    def call(self, inputs):
        if len(inputs) != 2:
            raise ValueError("A `Dot` layer should be called on exactly 2 inputs.")
        return wrap(batch_dot(inputs[0]._h, inputs[1]._h, self.axes, self.normalize))

    def compute_mask(self, inputs, mask=None):
        return None


def batch_dot(x, y, axes=None, normalize=False):
    """The product over one dim of each, with the batches side by side."""
    m, n = len(dims(x)), len(dims(y))
    if axes is None:
        axes = (m - 1, 1 if n == 2 else n - 2)
    if isinstance(axes, int):
        axes = (axes % m, axes % n)
    a, b = axes[0] % m, axes[1] % n
    if normalize:
        x, y = op("tw.unit_length", [x], {"dim": a}), op("tw.unit_length", [y], {"dim": b})
    z = dot(x, y, [a], [b], [0], [0])
    return reshape(z, (dims(z)[0], 1)) if len(dims(z)) == 1 else z


def _function(kind):
    def function(inputs, *args, **kwargs):
        return kind(*args, **kwargs)(inputs)
    return function


add_, subtract, multiply = _function(Add), _function(Subtract), _function(Multiply)
average, maximum, minimum = _function(Average), _function(Maximum), _function(Minimum)
concatenate, dot_ = _function(Concatenate), _function(Dot)
