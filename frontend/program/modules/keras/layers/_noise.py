"""Dropout and noise: they act in training."""

from keras._layer import Layer
from keras._leaf import add, binary, code, compare, dims, mul, op, random, select, sizes, wrap
from keras.layers._core import Leaf


class _InTraining(Leaf):
    def compute_output_shape(self, input_shape):
        return tuple(input_shape)


class Dropout(_InTraining):
    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        if isinstance(rate, (int, float)) and not 0 <= rate <= 1:
            raise ValueError("Invalid value received for argument `rate`. Expected a float value "
                             "between 0 and 1. Received: rate=" + str(rate))
        Layer.__init__(self, **kwargs)
        self.rate, self.seed, self.noise_shape = rate, seed, noise_shape
        self.supports_masking = True

    def call(self, inputs, training=None):
        if not training or not self.rate:
            return inputs
        attrs = {"rate": float(self.rate)}
        if self.noise_shape is not None:
            attrs["shared"] = [i for i, n in enumerate(self._noise(inputs)) if n == 1]
        return wrap(op("tw.dropout", [inputs._h], attrs))

    def _noise(self, inputs):
        return sizes(self.noise_shape)


class _Spatial(Dropout):
    _dims = (1,)

    def __init__(self, rate, data_format=None, seed=None, **kwargs):
        if isinstance(data_format, int):
            data_format, seed = None, data_format
        Dropout.__init__(self, rate, seed=seed, **kwargs)
        from keras.layers._conv import format_of
        self.data_format = format_of(data_format)

    def call(self, inputs, training=None):
        if not training or not self.rate:
            return inputs
        move = 1 if self.data_format == "channels_first" and len(self._dims) > 1 else 0
        return wrap(op("tw.dropout", [inputs._h], {
            "rate": float(self.rate), "shared": [d + move for d in self._dims]}))


class SpatialDropout1D(_Spatial):
    pass


class SpatialDropout2D(_Spatial):
    _dims = (1, 2)


class SpatialDropout3D(_Spatial):
    _dims = (1, 2, 3)


class GaussianNoise(_InTraining):
    def __init__(self, stddev, seed=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.stddev, self.seed, self.supports_masking = stddev, seed, True

    def call(self, inputs, training=None):
        if not training or not self.stddev:
            return inputs
        h = inputs._h
        noise = random("normal", dims(h), code(h))
        return wrap(add(h, mul(noise, float(self.stddev))))


class GaussianDropout(_InTraining):
    def __init__(self, rate, seed=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.rate, self.seed, self.supports_masking = rate, seed, True

    def call(self, inputs, training=None):
        if not training or not self.rate:
            return inputs
        h = inputs._h
        noise = mul(random("normal", dims(h), code(h)), (self.rate / (1 - self.rate)) ** 0.5)
        return wrap(mul(h, binary("add", noise, 1.0)))


class AlphaDropout(_InTraining):
    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.rate, self.seed, self.noise_shape = rate, seed, noise_shape
        self.supports_masking = True

    def call(self, inputs, training=None):
        if not training or not self.rate:
            return inputs
        h = inputs._h
        low = -1.6732632423543772 * 1.0507009873554805
        shape = list(dims(h))
        if self.noise_shape is not None:
            shape = [1 if n == 1 else size for n, size in zip(sizes(self.noise_shape), shape)]
        kept = compare("GE", random("uniform", shape), float(self.rate))
        a = ((1 - self.rate) * (1 + self.rate * low ** 2)) ** -0.5
        y = select(kept, h, low)
        return wrap(binary("add", mul(y, a), -a * low * self.rate))
