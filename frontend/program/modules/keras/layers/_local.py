"""Layers with a kernel of its own at each place, and layers whose inside is not known."""

import _tilewise as _t
from keras._layer import Layer
from keras._leaf import add, code, concat, cut, dims, dot, product, put, reshape, transpose, wrap
from keras.layers._conv import BaseConv, output_length
from keras.layers._core import Leaf, weight_of


class LocallyConnected2D(BaseConv):
    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None,
                 activation=None, use_bias=True, *args, implementation=1, **kwargs):
        BaseConv.__init__(self, filters, kernel_size, strides, padding, data_format, 1, 1,
                          activation, use_bias, *args, **kwargs)
        self.implementation = implementation

    def build(self, input_shape):
        shape = list(input_shape)
        spatial = shape[2:] if self._first else shape[1:-1]
        self._out = [output_length(n, k, self.padding, s)
                     for n, k, s in zip(spatial, self.kernel_size, self.strides)]
        n = self._features(input_shape)
        self._width = product(self.kernel_size) * n
        places = product(self._out)
        if self.implementation == 1:
            self.kernel = weight_of(self, "kernel", (places, self._width, self.filters))
        else:
            self.kernel = weight_of(self, "kernel", tuple(spatial) + (n,) + tuple(self._out)
                                    + (self.filters,))
        if self.use_bias:
            self.bias = weight_of(self, "bias", tuple(self._out) + (self.filters,))
        self.built = True

    def call(self, inputs):
        h = inputs._h
        if self._first:
            h = transpose(h, [0] + list(range(2, len(dims(h)))) + [1])
        n = self.rank
        parts = self._patches(h)
        places = product(self._out)
        k = put(self.kernel._h, code(h))
        if self.implementation != 1:
            whole = product(dims(h)[1:])
            y = dot(reshape(h, (dims(h)[0], whole)),
                    reshape(k, (whole, places * self.filters)), [1], [0])
        else:
            y = dot(reshape(parts, (dims(h)[0], places, self._width)), k, [2], [1], [1], [0])
            y = transpose(y, [1, 0, 2])
        y = reshape(y, [dims(h)[0]] + self._out + [self.filters])
        if self.bias is not None:
            y = add(y, put(self.bias._h, code(y)))
        if self._first:
            y = transpose(y, [0, n + 1] + list(range(1, n + 1)))
        return self.activation(wrap(y))

    def _patches(self, h):
        """Slices for each element of the window, side by side."""
        hs = [h]
        for i in range(self.rank):
            step, count = self.strides[i], self._out[i]
            hs = [cut(p, i + 1, j, j + (count - 1) * step + 1, step) for p in hs
                  for j in range(self.kernel_size[i])]
        return concat(hs, self.rank + 1)


class LocallyConnected1D(LocallyConnected2D):
    _rank = 1


class TorchModuleWrapper(Leaf):
    def __init__(self, module, name=None, output_shape=None, **kwargs):
        Layer.__init__(self, name=name, **kwargs)
        self.module = module

    def call(self, *args, **kwargs):
        return _t.unknown("what a module of PyTorch gives within Keras")


class TFSMLayer(Leaf):
    def __init__(self, filepath, call_endpoint="serve", call_training_endpoint=None,
                 trainable=True, name=None, dtype=None):
        Layer.__init__(self, name=name, dtype=dtype)
        self.filepath = filepath

    def call(self, inputs, training=False, **kwargs):
        return _t.unknown("the SavedModel " + str(self.filepath) + " is not read")


class JaxLayer(Leaf):
    def __init__(self, call_fn=None, init_fn=None, params=None, state=None, seed=None, **kwargs):
        Layer.__init__(self, **kwargs)

    def call(self, inputs, training=False):
        return _t.unknown("what a function of JAX gives within Keras")


FlaxLayer = JaxLayer
