"""Decoders: GPT-2, and those with rotary positions, shared heads and gated feedforward parts."""

import keras
from keras._layer import Layer
from keras._leaf import code, compare, dims, einsum, mul, op, put, reshape, sub, unary, wrap
from keras.layers._activation import masked
from keras.layers._core import ReversibleEmbedding
from keras.layers._norm import RMSNormalization
from keras_hub._base import Backbone, ids
from keras_hub._encoders import BertBackbone, gelu_approximate
from keras_hub.layers import (PositionEmbedding, RotaryEmbedding, TransformerDecoder,
                              attention_mask)

_L = keras.layers


class GPT2Backbone(BertBackbone):
    family = "GPT2"

    def __init__(self, vocabulary_size, num_layers, num_heads, hidden_dim, intermediate_dim,
                 dropout=0.1, max_sequence_length=1024, **kwargs):
        BertBackbone.__init__(self, vocabulary_size, num_layers, num_heads, hidden_dim,
                              intermediate_dim, dropout, max_sequence_length, **kwargs)

    def _layer(self, name):
        return TransformerDecoder(self.intermediate_dim, self.num_heads, self.dropout,
                                  gelu_approximate, 1e-5, normalize_first=True, name=name)

    def _network(self):
        given = {name: ids(name) for name in ("token_ids", "padding_mask")}
        self.token_embedding = ReversibleEmbedding(self.vocabulary_size, self.hidden_dim,
                                                   name="token_embedding")
        self.position_embedding = PositionEmbedding(self.max_sequence_length,
                                                    name="position_embedding")
        tokens = self.token_embedding(given["token_ids"])
        x = _L.Add(name="embeddings_add")([tokens, self.position_embedding(tokens)])
        x = _L.Dropout(self.dropout)(x)
        for layer in self._blocks():
            x = layer(x, decoder_padding_mask=given["padding_mask"])
        self.layer_norm = _L.LayerNormalization(epsilon=1e-5, name="layer_norm")
        return given, self.layer_norm(x)


def _window(rows, size):
    """pred[1, rows, rows]: tokens that are less than `size` behind."""
    i, j = [op("tw.iota", [], {"shape": [1, rows, rows], "dim": d, "dtype": "s32"})
            for d in (1, 2)]
    return compare("LT", sub(i, j), size)


class GroupedAttention(Layer):
    """Each head of keys and values serves a group of queries; positions turn both."""

    def __init__(self, sizes, equations, wavelength, cap=None, window=None, scale=None,
                 norms=False, epsilon=1e-6, **kwargs):
        Layer.__init__(self, **kwargs)
        self.query_heads, self.value_heads, self.head_dim = sizes
        self.equations, self.cap, self.window, self.scale = equations, cap, window, scale
        self.norms, self.epsilon = norms, epsilon
        self.rotary_embedding_layer = RotaryEmbedding(wavelength, dtype=self.dtype_policy)

    def build(self, shape):
        def made(name, equation, out, given):
            layer = _L.EinsumDense(equation, out, name=name, dtype=self.dtype_policy)
            layer.build(given)
            return layer
        heads = (self.query_heads, self.value_heads, self.value_heads)
        self.query_dense, self.key_dense, self.value_dense = [
            made(name, self.equations[0], (None, n, self.head_dim), shape)
            for name, n in zip(("query", "key", "value"), heads)]
        self.output_dense = made("attention_output", self.equations[1], (None, shape[-1]),
                                 (None, None, self.query_heads, self.head_dim))
        if self.norms:
            self.query_norm, self.key_norm = [
                RMSNormalization(epsilon=self.epsilon, name=name, dtype=self.dtype_policy)
                for name in ("query_norm", "key_norm")]
        self.built = True

    def call(self, inputs, attention_mask=None):
        q, k, v = [layer(inputs) for layer in (self.query_dense, self.key_dense,
                                               self.value_dense)]
        if self.norms:
            q, k = self.query_norm(q), self.key_norm(k)
        q, k = [self.rotary_embedding_layer(x)._h for x in (q, k)]
        b, t, n, h = dims(q)
        groups = self.value_heads
        q = reshape(mul(q, float(self.scale or h ** -0.5)), (b, t, groups, n // groups, h))
        s = einsum("btkgh,bskh->bkgts", q, k)
        if self.cap:
            s = mul(unary("tanh", mul(s, 1.0 / self.cap)), float(self.cap))
        m = attention_mask._h
        if self.window and self.window < t:
            m = op("tw.binary", [m, _window(t, self.window)], {"kind": "and"})
        s = masked(put(s, "f32"), reshape(m, (dims(m)[0], 1, 1) + tuple(dims(m))[1:]))
        w = put(op("tw.softmax", [s], {"dim": -1}), code(q))
        y = einsum("bkgts,bskh->btkgh", w, v._h)
        return self.output_dense(wrap(reshape(y, (b, t, n, h))))


class _GatedDecoder(Layer):
    """Attention, then a feedforward part of which one half gates the other."""
    _names = ()
    _equations = ()

    def __init__(self, width, inner, activation, attention, epsilon, post=(False, False),
                 dropout=0, **kwargs):
        Layer.__init__(self, **kwargs)
        self.width, self.inner, self.activation = width, inner, activation
        self.attends, self.epsilon, self.post, self.dropout = attention, epsilon, post, dropout
        self.supports_masking = True

    def build(self, shape):
        attends, first, second, gate, up, down = self._names

        def norm(name):
            return RMSNormalization(epsilon=self.epsilon, name=name, dtype=self.dtype_policy)

        self.attention = GroupedAttention(name=attends, equations=self._equations,
                                          dtype=self.dtype_policy, epsilon=self.epsilon,
                                          **self.attends)
        self.pre_attention_norm, self.pre_ffw_norm = norm(first), norm(second)
        self.post_attention_norm = norm("post_attention_norm") if self.post[0] else None
        self.post_ffw_norm = norm("post_ffw_norm") if self.post[1] else None
        self.gating_ffw, self.gating_ffw_2, self.ffw_linear = [
            self._dense(name, n) for name, n in ((gate, self.inner), (up, self.inner),
                                                 (down, self.width))]
        self._dropout = _L.Dropout(self.dropout, dtype=self.dtype_policy)
        self.built = True

    def _dense(self, name, n):
        return _L.Dense(n, use_bias=False, name=name, dtype=self.dtype_policy)

    def call(self, x, padding_mask=None, decoder_padding_mask=None, training=None):
        mask = padding_mask if decoder_padding_mask is None else decoder_padding_mask
        y = self.pre_attention_norm(x)
        y = self.attention(y, attention_mask=attention_mask(x, mask, is_causal=True))
        if self.post_attention_norm is not None:
            y = self.post_attention_norm(y)
        x = x + self._dropout(y, training=training)
        y = self.pre_ffw_norm(x)
        y = self.ffw_linear(self.activation(self.gating_ffw(y)) * self.gating_ffw_2(y))
        if self.post_ffw_norm is not None:
            y = self.post_ffw_norm(y)
        return x + y

    def compute_output_shape(self, input_shape):
        return tuple(input_shape)


class GemmaDecoderBlock(_GatedDecoder):
    _names = ("attention", "pre_attention_norm", "pre_ffw_norm", "ffw_gating", "ffw_gating_2",
              "ffw_linear")
    _equations = ("btd,ndh->btnh", "btnh,nhd->btd")


class LlamaTransformerDecoder(_GatedDecoder):
    _names = ("self_attention", "self_attention_layernorm", "feedforward_layernorm",
              "feedforward_gate_dense", "feedforward_intermediate_dense",
              "feedforward_output_dense")
    _equations = ("bqm,muh->bquh", "bquh,uhm->bqm")


class GemmaBackbone(Backbone):
    family = "Gemma"

    def __init__(self, vocabulary_size, num_layers, num_query_heads, num_key_value_heads,
                 hidden_dim, intermediate_dim, head_dim, query_head_dim_normalize=True,
                 use_post_ffw_norm=False, use_post_attention_norm=False,
                 attention_logit_soft_cap=None, final_logit_soft_cap=None,
                 use_sliding_window_attention=False, sliding_window_size=4096,
                 layer_norm_epsilon=1e-6, dropout=0, **kwargs):
        Backbone.__init__(
            self, vocabulary_size=vocabulary_size, num_layers=num_layers,
            num_query_heads=num_query_heads, num_key_value_heads=num_key_value_heads,
            hidden_dim=hidden_dim, intermediate_dim=intermediate_dim, head_dim=head_dim,
            query_head_dim_normalize=query_head_dim_normalize,
            use_post_ffw_norm=use_post_ffw_norm, use_post_attention_norm=use_post_attention_norm,
            attention_logit_soft_cap=attention_logit_soft_cap,
            final_logit_soft_cap=final_logit_soft_cap,
            use_sliding_window_attention=use_sliding_window_attention,
            sliding_window_size=sliding_window_size, layer_norm_epsilon=layer_norm_epsilon,
            dropout=dropout, **kwargs)

    def _inner(self):
        return self.intermediate_dim // 2  # Gemma counts both halves.

    def _window(self, i):
        return self.sliding_window_size if self.use_sliding_window_attention and i % 2 == 0 \
            else None

    def _attends(self, i):
        scale = None if self.query_head_dim_normalize else \
            (self.hidden_dim / self.num_query_heads) ** -0.5
        return dict(sizes=(self.num_query_heads, self.num_key_value_heads, self.head_dim),
                    wavelength=10000, cap=self.attention_logit_soft_cap, scale=scale,
                    window=self._window(i))

    def _block(self, i):
        return GemmaDecoderBlock(
            self.hidden_dim, self._inner(), gelu_approximate, self._attends(i),
            self.layer_norm_epsilon, (self.use_post_attention_norm, self.use_post_ffw_norm),
            self.dropout, name="decoder_block_" + str(i))

    _last, _scales, _ties = "final_normalization", True, True

    def _network(self):
        given = {name: ids(name) for name in ("token_ids", "padding_mask")}
        self.token_embedding = ReversibleEmbedding(
            self.vocabulary_size, self.hidden_dim, self._ties, name="token_embedding",
            logit_soft_cap=getattr(self, "final_logit_soft_cap", None))
        x = self.token_embedding(given["token_ids"])
        if self._scales:
            x = x * float(self.hidden_dim) ** 0.5
        self.transformer_layers = [self._block(i) for i in range(self.num_layers)]
        for layer in self.transformer_layers:
            x = layer(x, padding_mask=given["padding_mask"])
        self.layer_norm = RMSNormalization(epsilon=self.layer_norm_epsilon, name=self._last)
        return given, self.layer_norm(x)

    _splits = (("decoder_block.*attention.*(query|key|value).kernel", "mb."),
               ("decoder_block.*attention_output.kernel", "m.b"),
               ("decoder_block.*ffw_gating.kernel", "bm"),
               ("decoder_block.*ffw_gating_2.kernel", "bm"),
               ("decoder_block.*ffw_linear.kernel", "mb"))

    @classmethod
    def get_layout_map(cls, device_mesh, model_parallel_dim_name="model",
                       data_parallel_dim_name="batch"):
        names = {"m": model_parallel_dim_name, "b": data_parallel_dim_name, ".": None}
        layout = keras.distribution.LayoutMap(device_mesh)
        for pattern, axes in (("token_embedding/embeddings", "mb"),) + cls._splits:
            layout[pattern] = tuple([names[a] for a in axes])
        return layout


class Gemma3Backbone(GemmaBackbone):
    """Five layers of six see a window."""
    family = "Gemma3"

    def __init__(self, *args, use_query_key_norm=True, use_post_ffw_norm=True,
                 use_post_attention_norm=True, use_sliding_window_attention=True,
                 sliding_window_size=1024, vision_encoder=None, **kwargs):
        for name in ("image_size", "global_rope_scaling_factor", "local_rope_scaling_factor",
                     "use_bidirectional_attention"):
            kwargs.pop(name, None)
        GemmaBackbone.__init__(
            self, *args, use_post_ffw_norm=use_post_ffw_norm,
            use_post_attention_norm=use_post_attention_norm,
            use_sliding_window_attention=use_sliding_window_attention,
            sliding_window_size=sliding_window_size, **kwargs)

    def _inner(self):
        return self.intermediate_dim

    def _window(self, i):
        local = self.use_sliding_window_attention and i % 6 != 5
        return self.sliding_window_size if local else None

    def _attends(self, i):
        wavelength = 1000000 if self._window(i) is None else 10000
        return dict(GemmaBackbone._attends(self, i), norms=True, wavelength=wavelength)


class LlamaBackbone(GemmaBackbone):
    family = "Llama"
    _last, _scales = "sequence_output_layernorm", False

    def __init__(self, vocabulary_size, num_layers, num_query_heads, hidden_dim, intermediate_dim,
                 num_key_value_heads, rope_max_wavelength=10000, layer_norm_epsilon=1e-6,
                 dropout=0, tie_word_embeddings=False, sliding_window=None, dtype=None,
                 trainable=True, name=None, **scaling):
        # How positions are scaled changes no size and no op.
        self._ties = tie_word_embeddings
        Backbone.__init__(
            self, vocabulary_size=vocabulary_size, num_layers=num_layers,
            num_query_heads=num_query_heads, hidden_dim=hidden_dim,
            intermediate_dim=intermediate_dim, num_key_value_heads=num_key_value_heads,
            rope_max_wavelength=rope_max_wavelength, layer_norm_epsilon=layer_norm_epsilon,
            dropout=dropout, sliding_window=sliding_window, dtype=dtype, trainable=trainable,
            name=name)

    def _block(self, i):
        attends = dict(sizes=(self.num_query_heads, self.num_key_value_heads,
                              self.hidden_dim // self.num_query_heads),
                       wavelength=self.rope_max_wavelength, window=self.sliding_window)
        return LlamaTransformerDecoder(self.hidden_dim, self.intermediate_dim,
                                       keras.activations.silu, attends, self.layer_norm_epsilon,
                                       dropout=self.dropout, name="transformer_layer_" + str(i))

    _splits = (("transformer_layer.*self_attention.*(query|key|value).kernel", "mb."),
               ("transformer_layer.*attention_output.kernel", "m.b"),
               ("transformer_layer.*feedforward_intermediate_dense.kernel", "bm"),
               ("transformer_layer.*feedforward_gate_dense.kernel", "bm"),
               ("transformer_layer.*feedforward_output_dense.kernel", "mb"))


class Llama3Backbone(LlamaBackbone):
    family = "Llama3"


class MistralBackbone(LlamaBackbone):
    family = "Mistral"
