"""tfa.layers."""

from keras.layers import (AdaptiveAveragePooling2D, GroupNormalization, Layer, MultiHeadAttention,
                          SpectralNormalization, Wrapper)
from keras.layers import GroupNormalization as _Groups


class InstanceNormalization(_Groups):
    def __init__(self, **kwargs):
        kwargs.pop("groups", None)
        _Groups.__init__(self, groups=-1, **kwargs)


class WeightNormalization(Wrapper):
    """The wrapped layer, with a length beside the weights."""

    def build(self, input_shape):
        if not self.layer.built:
            self.layer.build(input_shape)
        kernel = self.layer.kernel
        self.g = self.add_weight("g", shape=(int(kernel.shape[-1]),))

    def call(self, inputs):
        return self.layer(inputs)


class StochasticDepth(Layer):
    def __init__(self, survival_probability=0.5, **kwargs):
        Layer.__init__(self, **kwargs)
        self.survival_probability = survival_probability

    def call(self, inputs, training=False):
        shortcut, residual = inputs
        if training:
            from keras.layers import Dropout
            sizes = (None,) + (1,) * (len(residual.shape) - 1)
            residual = Dropout(1 - self.survival_probability, noise_shape=sizes)(
                residual, training=True)
        return shortcut + residual


class GELU(Layer):
    def __init__(self, approximate=True, **kwargs):
        Layer.__init__(self, **kwargs)
        self.approximate = approximate

    def call(self, inputs):
        from keras.activations import gelu
        return gelu(inputs, self.approximate)


class Maxout(Layer):
    def __init__(self, num_units, axis=-1, **kwargs):
        Layer.__init__(self, **kwargs)
        self.num_units, self.axis = num_units, axis

    def call(self, inputs):
        from keras import ops
        sizes = [-1 if d is None else d for d in inputs.shape]
        axis = self.axis % len(sizes)
        wide = sizes[:axis] + [self.num_units, sizes[axis] // self.num_units] + sizes[axis + 1:]
        return ops.max(ops.reshape(inputs, wide), axis=axis + 1)


class NoisyDense(Layer):
    def __init__(self, units, sigma=0.5, use_factorised=True, activation=None, use_bias=True,
                 **kwargs):
        Layer.__init__(self, **kwargs)
        from keras.layers import Dense
        self.dense = Dense(units, activation=activation, use_bias=use_bias)

    def build(self, input_shape):
        n = int(input_shape[-1])
        self.sigma_kernel = self.add_weight("sigma_kernel", shape=(n, self.dense.units))
        if self.dense.use_bias:
            self.sigma_bias = self.add_weight("sigma_bias", shape=(self.dense.units,))

    def call(self, inputs):
        return self.dense(inputs)


