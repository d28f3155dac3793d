"""Pooling over windows and over all places."""

from keras._layer import Layer
from keras._leaf import code, concat, cut, dims, div, many, mul, op, put, reduce, reshape, wrap
from keras.layers._conv import format_of, output_length
from keras.layers._core import Leaf


class BasePooling(Leaf):
    _rank, _kind = 2, "max"

    def __init__(self, pool_size=2, strides=None, padding="valid", data_format=None, **kwargs):
        Layer.__init__(self, **kwargs)
        n = self._rank
        self.pool_size = many(pool_size, n)
        self.strides = self.pool_size if strides is None else many(strides, n)
        self.padding, self.data_format = padding.lower(), format_of(data_format)
        self._first = self.data_format == "channels_first"
        self._attrs = {"window": list(self.pool_size), "strides": list(self.strides),
                       "channels_first": self._first}
        if self.padding == "same":
            self._attrs["padding"] = "SAME"
        if self._kind == "max":
            self._attrs["kind"] = "max"
        self._op = "tw.reduce_window" if self._kind == "max" else "tw.avg_pool"

    def call(self, inputs):
        return wrap(op(self._op, [inputs._h], self._attrs))

    def compute_output_shape(self, input_shape):
        shape = list(input_shape)
        first = 2 if self._first else 1
        for i in range(self._rank):
            shape[first + i] = output_length(shape[first + i], self.pool_size[i], self.padding,
                                             self.strides[i])
        return tuple(shape)


class MaxPooling1D(BasePooling):
    _rank = 1


class MaxPooling2D(BasePooling):
    pass


class MaxPooling3D(BasePooling):
    _rank = 3


class AveragePooling1D(BasePooling):
    _rank, _kind = 1, "mean"


class AveragePooling2D(BasePooling):
    _kind = "mean"


class AveragePooling3D(BasePooling):
    _rank, _kind = 3, "mean"


class BaseGlobalPooling(Leaf):
    _rank, _kind = 2, "mean"

    def __init__(self, data_format=None, keepdims=False, **kwargs):
        Layer.__init__(self, **kwargs)
        self.data_format, self.keepdims = format_of(data_format), keepdims
        first = 2 if self.data_format == "channels_first" else 1
        self._attrs = {"kind": self._kind, "dims": list(range(first, first + self._rank)),
                       "keep": bool(keepdims)}

    def call(self, inputs):
        return wrap(op("tw.reduce", [inputs._h], self._attrs))

    def compute_output_shape(self, input_shape):
        gone = self._attrs["dims"]
        if self.keepdims:
            return tuple([1 if i in gone else n for i, n in enumerate(input_shape)])
        return tuple([n for i, n in enumerate(input_shape) if i not in gone])


class GlobalMaxPooling1D(BaseGlobalPooling):
    _rank, _kind = 1, "max"


class GlobalMaxPooling2D(BaseGlobalPooling):
    _kind = "max"


class GlobalMaxPooling3D(BaseGlobalPooling):
    _rank, _kind = 3, "max"


class GlobalAveragePooling1D(BaseGlobalPooling):
    _rank = 1

    def __init__(self, data_format=None, keepdims=False, **kwargs):
        BaseGlobalPooling.__init__(self, data_format, keepdims, **kwargs)
        self.supports_masking = True

    def call(self, inputs, mask=None):
        if mask is None:
            return wrap(op("tw.reduce", [inputs._h], self._attrs))
        h = inputs._h
        axis = self._attrs["dims"][0]
        kept = put(mask._h, code(h))
        n = dims(kept)
        kept = reshape(kept, (n[0], n[1], 1) if axis == 1 else (n[0], 1, n[1]))
        return wrap(div(reduce("sum", mul(h, kept), axis, self.keepdims),
                        reduce("sum", kept, axis, self.keepdims)))

    def compute_mask(self, inputs, mask=None):
        return None


class GlobalAveragePooling2D(BaseGlobalPooling):
    pass


class GlobalAveragePooling3D(BaseGlobalPooling):
    _rank = 3


def adaptive(h, wanted, kind, first):
    """To a given number of windows along each dim; they overlap where it is no divisor."""
    start = 2 if first else 1
    for i, n in enumerate(wanted):
        axis, size = start + i, dims(h)[start + i]
        if size % n == 0:
            window = [1] * len(wanted)
            window[i] = size // n
            attrs = {"window": window, "strides": window, "channels_first": first}
            if kind == "max":
                attrs["kind"] = "max"
            h = op("tw.reduce_window" if kind == "max" else "tw.avg_pool", [h], attrs)
        else:
            h = concat([reduce(kind, cut(h, axis, j * size // n, -(-(j + 1) * size // n)), axis,
                               True) for j in range(n)], axis)
    return h


class BaseAdaptivePooling(Leaf):
    _rank, _kind = 2, "mean"

    def __init__(self, output_size, data_format=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.output_size, self.data_format = many(output_size, self._rank), format_of(data_format)

    def call(self, inputs):
        return wrap(adaptive(inputs._h, self.output_size, self._kind,
                             self.data_format == "channels_first"))


def _adaptive(kind, rank):
    class Adaptive(BaseAdaptivePooling):
        _rank, _kind = rank, kind
    Adaptive.__name__ = Adaptive.__qualname__ = "Adaptive" + (
        "Max" if kind == "max" else "Average") + "Pooling" + str(rank) + "D"
    return Adaptive


AdaptiveMaxPooling1D, AdaptiveMaxPooling2D, AdaptiveMaxPooling3D = (
    _adaptive("max", 1), _adaptive("max", 2), _adaptive("max", 3))
AdaptiveAveragePooling1D, AdaptiveAveragePooling2D, AdaptiveAveragePooling3D = (
    _adaptive("mean", 1), _adaptive("mean", 2), _adaptive("mean", 3))

MaxPool1D, MaxPool2D, MaxPool3D = MaxPooling1D, MaxPooling2D, MaxPooling3D
AvgPool1D, AvgPool2D, AvgPool3D = AveragePooling1D, AveragePooling2D, AveragePooling3D
GlobalMaxPool1D, GlobalMaxPool2D, GlobalMaxPool3D = (
    GlobalMaxPooling1D, GlobalMaxPooling2D, GlobalMaxPooling3D)
GlobalAvgPool1D, GlobalAvgPool2D, GlobalAvgPool3D = (
    GlobalAveragePooling1D, GlobalAveragePooling2D, GlobalAveragePooling3D)
