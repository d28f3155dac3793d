"""Layers that move elements."""

from keras._layer import Layer
from keras._leaf import broadcast, dims, many, op, product, reshape, transpose, wrap
from keras.layers._conv import format_of
from keras.layers._core import Leaf


class Reshape(Leaf):
    def __init__(self, target_shape, **kwargs):
        Layer.__init__(self, **kwargs)
        self.target_shape = tuple([int(n) for n in target_shape]) \
            if isinstance(target_shape, (tuple, list)) else (target_shape,)

    def call(self, inputs):
        h = inputs._h
        return wrap(reshape(h, (dims(h)[0],) + self.target_shape))

    def compute_output_shape(self, input_shape):
        shape = list(self.target_shape)
        if -1 in shape:
            rest = list(input_shape[1:])
            at = shape.index(-1)
            shape[at] = None if None in rest else product(rest) // product(
                shape[:at] + shape[at + 1:])
        return (input_shape[0],) + tuple(shape)


class Flatten(Leaf):
    def __init__(self, data_format=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.data_format = format_of(data_format)

    def call(self, inputs):
        h = inputs._h
        shape = dims(h)
        if self.data_format == "channels_first" and len(shape) > 2:
            h = transpose(h, [0] + list(range(2, len(shape))) + [1])
        return wrap(reshape(h, (shape[0], product(shape[1:]))))

    def compute_output_shape(self, input_shape):
        rest = list(input_shape[1:])
        return (input_shape[0], None if None in rest else product(rest))


class Permute(Leaf):
    def __init__(self, dims, **kwargs):
        Layer.__init__(self, **kwargs)
        self.dims = tuple(dims)

    def call(self, inputs):
        return wrap(transpose(inputs._h, (0,) + self.dims))

    def compute_output_shape(self, input_shape):
        return tuple([input_shape[0]] + [input_shape[d] for d in self.dims])


class RepeatVector(Leaf):
    def __init__(self, n, **kwargs):
        Layer.__init__(self, **kwargs)
        self.n = n

    def call(self, inputs):
        h = inputs._h
        rows, width = dims(h)
        return wrap(broadcast(reshape(h, (rows, 1, width)), (rows, self.n, width)))

    def compute_output_shape(self, input_shape):
        return (input_shape[0], self.n, input_shape[1])


def _pairs(value, n):
    """(before, after) of each of `n` dims."""
    if isinstance(value, int):
        return ((value, value),) * n
    value = tuple(value)
    if n == 1 and len(value) == 2 and isinstance(value[0], int):
        return (value,)
    return tuple([(v, v) if isinstance(v, int) else tuple(v) for v in value])


class _Cropping(Leaf):
    _rank = 2

    def __init__(self, cropping=None, data_format=None, **kwargs):
        Layer.__init__(self, **kwargs)
        default = (1, 1) if self._rank == 1 else ((0, 0),) * 2 if self._rank == 2 else 1
        self.cropping = _pairs(default if cropping is None else cropping, self._rank)
        self.data_format = format_of(data_format)

    def call(self, inputs):
        h = inputs._h
        shape = list(dims(h))
        first = 2 if self.data_format == "channels_first" else 1
        starts, limits = [0] * len(shape), shape
        for i, (low, high) in enumerate(self.cropping):
            if low + high >= shape[first + i]:
                raise ValueError("Values in `cropping` argument should be smaller than the "
                                 "corresponding spatial dimension of the input.")
            starts[first + i] = low
            limits[first + i] -= high
        return wrap(op("tw.slice", [h], {"starts": starts, "limits": limits,
                                         "strides": [1] * len(shape)}))


class Cropping1D(_Cropping):
    _rank = 1


class Cropping2D(_Cropping):
    pass


class Cropping3D(_Cropping):
    _rank = 3


class _ZeroPadding(Leaf):
    _rank = 2

    def __init__(self, padding=1, data_format=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.padding = _pairs(padding, self._rank)
        self.data_format = format_of(data_format)
        lead = 2 if self.data_format == "channels_first" else 1
        tail = [0] * (2 - lead)
        low = [0] * lead + [p[0] for p in self.padding] + tail
        high = [0] * lead + [p[1] for p in self.padding] + tail
        self._attrs = {"value": 0.0, "low": low, "high": high}

    def call(self, inputs):
        return wrap(op("tw.pad", [inputs._h], self._attrs))

    def compute_output_shape(self, input_shape):
        return tuple([None if n is None else n + a + b for n, a, b in zip(
            input_shape, self._attrs["low"], self._attrs["high"])])


class ZeroPadding1D(_ZeroPadding):
    _rank = 1


class ZeroPadding2D(_ZeroPadding):
    pass


class ZeroPadding3D(_ZeroPadding):
    _rank = 3


class _UpSampling(Leaf):
    _rank = 2

    def __init__(self, size=2, data_format=None, interpolation="nearest", **kwargs):
        Layer.__init__(self, **kwargs)
        self.size, self.data_format = many(size, self._rank), format_of(data_format)
        self.interpolation = interpolation.lower()

    def call(self, inputs):
        h = inputs._h
        shape = dims(h)
        first = 2 if self.data_format == "channels_first" and self._rank > 1 else 1
        axes = list(range(first, first + self._rank))
        return wrap(op("tw.resize", [h], {
            "dims": axes, "sizes": [shape[a] * n for a, n in zip(axes, self.size)],
            "mode": resize_mode(self.interpolation)}))

    def compute_output_shape(self, input_shape):
        shape = list(input_shape)
        first = 2 if self.data_format == "channels_first" and self._rank > 1 else 1
        for i, n in enumerate(self.size):
            old = shape[first + i]
            shape[first + i] = None if old is None else old * n
        return tuple(shape)


def resize_mode(name):
    if name in ("nearest", "bilinear", "bicubic", "area", "lanczos3"):
        return name
    return "bicubic" if name in ("lanczos5", "gaussian", "mitchellcubic") else "bilinear"


class UpSampling1D(_UpSampling):
    _rank = 1


class UpSampling2D(_UpSampling):
    pass


class UpSampling3D(_UpSampling):
    _rank = 3
