"""Layers of keras_hub."""

import math

import _tilewise as _t
import keras
from keras._info import mask_of
from keras._layer import Layer
from keras._leaf import (add, code, concat, cut, dims, expand, mul, op, put, reshape, sub,
                         unary, wrap)
from keras.layers._attention import causal
from keras.layers._core import ReversibleEmbedding
from keras_hub._packers import (MaskedLMMaskGenerator, MultiSegmentPacker, RandomDeletion,
                                RandomSwap, StartEndPacker)

_L = keras.layers


def attention_mask(x, padding_mask=None, given=None, is_causal=False):
    """pred[batch or 1, rows, columns], or None: which tokens each token sees."""
    if padding_mask is None:
        padding_mask = mask_of(x)
    parts = []
    if padding_mask is not None:
        parts.append(expand(put(padding_mask._h, "pred"), 1))
    if given is not None:
        parts.append(put(given._h, "pred"))
    if is_causal:
        parts.append(causal(dims(x._h)[1], dims(x._h)[1]))
    if not parts:
        return None
    y = parts[0]
    for part in parts[1:]:
        y = op("tw.binary", [y, part], {"kind": "and"})
    return wrap(y)


class CachedMultiHeadAttention(_L.MultiHeadAttention):
    pass


_mask_of = attention_mask  # also the name of an argument below


class _Block(Layer):
    """Attention and a feedforward part, each with its sum and norm."""

    def __init__(self, intermediate_dim, num_heads, dropout=0, activation="relu",
                 layer_norm_epsilon=1e-05, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", normalize_first=False, **kwargs):
        Layer.__init__(self, **kwargs)
        self.intermediate_dim, self.num_heads, self.dropout = intermediate_dim, num_heads, dropout
        self.activation = keras.activations.get(activation)
        self.layer_norm_epsilon, self.normalize_first = layer_norm_epsilon, normalize_first
        self.kernel_initializer, self.bias_initializer = kernel_initializer, bias_initializer
        self.supports_masking = True

    def _attention(self, name, width):
        return CachedMultiHeadAttention(
            self.num_heads, width // self.num_heads, dropout=self.dropout, name=name,
            kernel_initializer=self.kernel_initializer, bias_initializer=self.bias_initializer,
            dtype=self.dtype_policy)

    def _norm(self, name):
        return _L.LayerNormalization(epsilon=self.layer_norm_epsilon, name=name,
                                     dtype=self.dtype_policy)

    def _parts(self, width):
        def dense(n, name, activation=None):
            return _L.Dense(n, activation, name=name, dtype=self.dtype_policy,
                            kernel_initializer=self.kernel_initializer,
                            bias_initializer=self.bias_initializer)

        self._self_attention_layer = self._attention(self._attends, width)
        self._self_attention_layer_norm = self._norm("self_attention_layer_norm")
        self._feedforward_layer_norm = self._norm("feedforward_layer_norm")
        self._feedforward_intermediate_dense = dense(
            self.intermediate_dim, "feedforward_intermediate_dense", self.activation)
        self._feedforward_output_dense = dense(width, "feedforward_output_dense")
        self._dropout = _L.Dropout(self.dropout, dtype=self.dtype_policy)

    def _around(self, x, norm, part, training):
        """The sum of `x` and what a part makes of it, normed before or after."""
        y = part(norm(x) if self.normalize_first else x)
        y = self._dropout(y, training=training) + x
        return y if self.normalize_first else norm(y)

    def _feedforward(self, x, training):
        return self._around(x, self._feedforward_layer_norm, lambda y: (
            self._feedforward_output_dense(self._feedforward_intermediate_dense(y))), training)

    def compute_output_shape(self, input_shape):
        return tuple(input_shape)


class TransformerEncoder(_Block):
    _attends = "self_attention_layer"

    def build(self, inputs_shape):
        self._parts(inputs_shape[-1])
        self.built = True

    def call(self, inputs, padding_mask=None, attention_mask=None, training=None,
             return_attention_scores=False):
        mask = _mask_of(inputs, padding_mask, attention_mask)
        x = self._around(inputs, self._self_attention_layer_norm, lambda y: (
            self._self_attention_layer(y, y, attention_mask=mask, training=training)), training)
        x = self._feedforward(x, training)
        if return_attention_scores:
            return x, _t.unknown("the scores of an attention")
        return x


class TransformerDecoder(_Block):
    _attends = "self_attention"

    def build(self, decoder_sequence_shape, encoder_sequence_shape=None):
        width = decoder_sequence_shape[-1]
        self._parts(width)
        self._cross_attention_layer = None
        if encoder_sequence_shape is not None:
            self._cross_attention_layer = self._attention("cross_attention", width)
            self._cross_attention_layer_norm = self._norm("cross_attention_layer_norm")
        self.built = True

    def call(self, decoder_sequence, encoder_sequence=None, decoder_padding_mask=None,
             decoder_attention_mask=None, encoder_padding_mask=None,
             encoder_attention_mask=None, self_attention_cache=None,
             self_attention_cache_update_index=None, cross_attention_cache=None,
             cross_attention_cache_update_index=None, use_causal_mask=True, training=None):
        mask = _mask_of(decoder_sequence, decoder_padding_mask, decoder_attention_mask,
                        use_causal_mask)
        x = self._around(decoder_sequence, self._self_attention_layer_norm, lambda y: (
            self._self_attention_layer(y, y, attention_mask=mask, training=training)), training)
        if encoder_sequence is not None:
            seen = _mask_of(encoder_sequence, encoder_padding_mask, encoder_attention_mask)
            x = self._around(x, self._cross_attention_layer_norm, lambda y: (
                self._cross_attention_layer(y, encoder_sequence, attention_mask=seen,
                                            training=training)), training)
        return self._feedforward(x, training)


class PositionEmbedding(Layer):
    def __init__(self, sequence_length, initializer="glorot_uniform", **kwargs):
        Layer.__init__(self, **kwargs)
        self.sequence_length, self.initializer = int(sequence_length), initializer
        self.supports_masking = True

    def build(self, inputs_shape):
        self.position_embeddings = self.add_weight(
            name="embeddings", shape=(self.sequence_length, inputs_shape[-1]),
            initializer=self.initializer)
        self.built = True

    def call(self, inputs, start_index=0, positions=None):
        h = inputs._h
        shape = dims(h)
        w = put(self.position_embeddings._h, code(h))
        if shape[-2] <= dims(w)[0]:
            w = cut(w, 0, 0, shape[-2])
        else:  # a length that is not known yet
            places = op("tw.iota", [], {"shape": [shape[-2]], "dim": 0, "dtype": "s32"})
            w = op("tw.take", [w, places], {"axis": 0})
        return wrap(op("tw.broadcast_in_dim", [w], {"shape": list(shape)}))

    def compute_output_shape(self, input_shape):
        return tuple(input_shape)


class TokenAndPositionEmbedding(Layer):
    def __init__(self, vocabulary_size, sequence_length, embedding_dim, tie_weights=True,
                 embeddings_initializer="uniform", mask_zero=False, **kwargs):
        Layer.__init__(self, **kwargs)
        self.token_embedding = ReversibleEmbedding(
            vocabulary_size, embedding_dim, tie_weights, mask_zero=mask_zero,
            embeddings_initializer=embeddings_initializer, dtype=self.dtype_policy,
            name="token_embedding")
        self.position_embedding = PositionEmbedding(
            sequence_length, dtype=self.dtype_policy, name="position_embedding")
        self.supports_masking = True
        self.embedding_dim = embedding_dim

    def call(self, inputs, start_index=0, positions=None):
        tokens = self.token_embedding(inputs)
        return tokens + self.position_embedding(tokens)

    def compute_mask(self, inputs, mask=None):
        return self.token_embedding.compute_mask(inputs)

    def compute_output_shape(self, input_shape):
        return tuple(input_shape) + (self.embedding_dim,)


def _angles(length, half, wavelength):
    """f32[length, half]: each position times a frequency; these fall by powers."""
    place = {"shape": [length, half], "dtype": "f32"}
    position = op("tw.iota", [], dict(place, dim=0))
    step = op("tw.iota", [], dict(place, dim=1))
    return mul(position, unary("exp", mul(step, -math.log(wavelength) / half)))


class SinePositionEncoding(Layer):
    def __init__(self, max_wavelength=10000, **kwargs):
        Layer.__init__(self, **kwargs)
        self.max_wavelength, self.supports_masking = max_wavelength, True

    def call(self, inputs, start_index=0, positions=None):
        shape = dims(inputs._h)
        half = shape[-1] // 2
        angles = _angles(shape[-2], half, float(self.max_wavelength))
        w = reshape(op("tw.stack", [unary("sin", angles), unary("cos", angles)], {"dim": 2}),
                    (shape[-2], 2 * half))
        w = put(w, code(inputs._h))
        return wrap(op("tw.broadcast_in_dim", [w], {"shape": list(shape)}))

    def compute_output_shape(self, input_shape):
        return tuple(input_shape)


class RotaryEmbedding(Layer):
    """Halves of each vector, turned by an angle that grows with the position."""

    def __init__(self, max_wavelength=10000, scaling_factor=1.0, sequence_axis=1, feature_axis=-1,
                 **kwargs):
        Layer.__init__(self, **kwargs)
        self.max_wavelength, self.scaling_factor = max_wavelength, scaling_factor
        self.sequence_axis, self.feature_axis = sequence_axis, feature_axis

    def call(self, inputs, start_index=0, positions=None):
        h = inputs._h
        shape, d = dims(h), code(h)
        half, at = shape[-1] // 2, self.sequence_axis
        angles = _angles(shape[at], half, float(self.max_wavelength))
        lead = [shape[at] if i == at else 1 for i in range(len(shape) - 1)]
        cos, sin = [put(reshape(unary(kind, angles), lead + [half]), d) for kind in ("cos", "sin")]
        low, high = cut(h, len(shape) - 1, 0, half), cut(h, len(shape) - 1, half, 2 * half)
        return wrap(concat([sub(mul(low, cos), mul(high, sin)),
                            add(mul(high, cos), mul(low, sin))], len(shape) - 1))

    def compute_output_shape(self, input_shape):
        return tuple(input_shape)


class MaskedLMHead(Layer):
    def __init__(self, vocabulary_size=None, token_embedding=None,
                 intermediate_activation="relu", activation=None, layer_norm_epsilon=1e-05,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", **kwargs):
        kwargs.pop("embedding_weights", None)
        Layer.__init__(self, **kwargs)
        self.token_embedding = token_embedding
        self.vocabulary_size = token_embedding.input_dim if token_embedding is not None \
            else vocabulary_size
        self.intermediate_activation = intermediate_activation
        self.activation = keras.activations.get(activation)
        self.layer_norm_epsilon, self.kernel_initializer = layer_norm_epsilon, kernel_initializer

    def build(self, inputs_shape, mask_positions_shape=None):
        width = inputs_shape[-1] if self.token_embedding is None else \
            self.token_embedding.output_dim
        self._intermediate_dense = _L.Dense(width, self.intermediate_activation,
                                            dtype=self.dtype_policy, name="intermediate_dense")
        self._intermediate_layer_norm = _L.LayerNormalization(
            epsilon=self.layer_norm_epsilon, dtype=self.dtype_policy,
            name="intermediate_layer_norm")
        if self.token_embedding is None:
            self._kernel = self.add_weight(name="output_kernel",
                                           shape=(width, self.vocabulary_size))
        self._bias = self.add_weight(name="output_bias", shape=(self.vocabulary_size,))
        self.built = True

    def call(self, inputs, mask_positions):
        x = keras.ops.take_along_axis(inputs, keras.ops.expand_dims(mask_positions, -1), axis=1)
        x = self._intermediate_layer_norm(self._intermediate_dense(x))
        if self.token_embedding is not None:
            y = self.token_embedding(x, reverse=True)
        else:
            y = keras.ops.matmul(x, self._kernel)
        y = wrap(add(y._h, put(self._bias._h, code(y._h))))
        return y if self.activation is None else self.activation(y)


class FNetEncoder(_Block):
    """Fourier transforms over tokens and features take the place of attention."""

    def __init__(self, intermediate_dim, dropout=0, activation="relu", layer_norm_epsilon=1e-5,
                 **kwargs):
        _Block.__init__(self, intermediate_dim, 1, dropout, activation, layer_norm_epsilon,
                        **kwargs)

    _attends = "mixing"

    def build(self, inputs_shape):
        self._parts(inputs_shape[-1])
        self._self_attention_layer = None
        self.built = True

    def call(self, inputs, training=None):
        real, _ = keras.ops.fft2((inputs, keras.ops.zeros_like(inputs)))
        x = self._self_attention_layer_norm(inputs + self._dropout(real, training=training))
        return self._feedforward(x, training)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return _t.unknown("keras_hub.layers." + name)
