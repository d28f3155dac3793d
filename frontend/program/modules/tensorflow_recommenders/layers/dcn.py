"""Cross layers: x0 * (W x + b) + x."""

import tensorflow as tf


class Cross(tf.keras.layers.Layer):
    def __init__(self, projection_dim=None, diag_scale=0.0, use_bias=True, preactivation=None,
                 kernel_initializer="truncated_normal", bias_initializer="zeros",
                 kernel_regularizer=None, bias_regularizer=None, **kwargs):
        super().__init__(**kwargs)
        self._narrow, self._use_bias, self._scale = projection_dim, use_bias, diag_scale
        self._activation = preactivation

    def build(self, input_shape):
        width = input_shape[-1]
        self._down = None
        if self._narrow is not None:
            self._down = tf.keras.layers.Dense(self._narrow, use_bias=False)
        self._dense = tf.keras.layers.Dense(width, use_bias=self._use_bias,
                                            activation=self._activation)
        self.built = True

    def call(self, x0, x=None):
        x = x0 if x is None else x
        out = self._dense(x if self._down is None else self._down(x))
        if self._scale:
            out = out + self._scale * x
        return x0 * out + x
