"""Layers in which features meet."""

import tensorflow as tf
from tensorflow_recommenders.layers.dcn import Cross


class DotInteraction(tf.keras.layers.Layer):
    """The dot products of each two of some features."""

    def __init__(self, self_interaction=False, skip_gather=False, name=None, **kwargs):
        super().__init__(name=name)
        self._self, self._skip = self_interaction, skip_gather

    def call(self, inputs):
        x = tf.stack(inputs, axis=1)
        n = len(inputs)
        products = tf.matmul(x, x, transpose_b=True)
        flat = tf.reshape(products, [-1, n * n])
        if self._skip:
            return flat
        kept = [i * n + j for i in range(n) for j in range(i + 1 if self._self else i)]
        return tf.gather(flat, kept, axis=1)
