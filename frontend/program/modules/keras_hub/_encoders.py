"""Encoders: BERT and what followed it."""

import math

import keras
from keras._layer import Layer
from keras._leaf import (add, binary, code, compare, dims, div, einsum, mul, op, put, reshape,
                         select, sub, transpose, unary, wrap)
from keras.layers._activation import masked
from keras.layers._core import ReversibleEmbedding
from keras_hub._base import Backbone, ids
from keras_hub.layers import (PositionEmbedding, TokenAndPositionEmbedding, TransformerEncoder,
                              attention_mask)

_L = keras.layers


def gelu_approximate(x):
    return keras.activations.gelu(x, approximate=True)


def _start(stddev=0.02):
    return keras.initializers.TruncatedNormal(stddev=stddev)


class BertBackbone(Backbone):
    family = "Bert"
    _projects = False  # embeddings of another width than the layers

    def __init__(self, vocabulary_size, num_layers, num_heads, hidden_dim, intermediate_dim,
                 dropout=0.1, max_sequence_length=512, num_segments=2, **kwargs):
        Backbone.__init__(self, vocabulary_size=vocabulary_size, num_layers=num_layers,
                          num_heads=num_heads, hidden_dim=hidden_dim,
                          intermediate_dim=intermediate_dim, dropout=dropout,
                          max_sequence_length=max_sequence_length, num_segments=num_segments,
                          **kwargs)

    def _layer(self, name):
        return TransformerEncoder(self.intermediate_dim, self.num_heads, self.dropout,
                                  gelu_approximate, 1e-12, kernel_initializer=_start(), name=name)

    def _blocks(self):
        self.transformer_layers = [self._layer("transformer_layer_" + str(i))
                                   for i in range(self.num_layers)]
        return self.transformer_layers

    def _network(self):
        given = {name: ids(name) for name in ("token_ids", "segment_ids", "padding_mask")}
        width = self.embedding_dim if self._projects else self.hidden_dim
        self.token_embedding = ReversibleEmbedding(self.vocabulary_size, width,
                                                   name="token_embedding")
        self.position_embedding = PositionEmbedding(self.max_sequence_length,
                                                    name="position_embedding")
        self.segment_embedding = _L.Embedding(self.num_segments, width, name="segment_embedding")
        self.embeddings_layer_norm = _L.LayerNormalization(epsilon=1e-12,
                                                           name="embeddings_layer_norm")
        tokens = self.token_embedding(given["token_ids"])
        x = _L.Add(name="embeddings_add")([tokens, self.position_embedding(tokens),
                                           self.segment_embedding(given["segment_ids"])])
        x = _L.Dropout(self.dropout)(self.embeddings_layer_norm(x))
        if self._projects:
            self.embeddings_projection = _L.Dense(self.hidden_dim, name="embedding_projection")
            x = self.embeddings_projection(x)
        for layer in self._blocks():
            x = layer(x, padding_mask=given["padding_mask"])
        self.pooled_dense = _L.Dense(self.hidden_dim, "tanh", name="pooled_dense")
        return given, {"sequence_output": x, "pooled_output": self.pooled_dense(x[:, 0, :])}


class AlbertBackbone(BertBackbone):
    """Its layers have the same weights."""
    family = "Albert"
    _projects = True

    def __init__(self, vocabulary_size, num_layers, num_heads, embedding_dim, hidden_dim,
                 intermediate_dim, num_groups=1, num_inner_repetitions=1, dropout=0.0,
                 max_sequence_length=512, num_segments=2, **kwargs):
        BertBackbone.__init__(self, vocabulary_size, num_layers, num_heads, hidden_dim,
                              intermediate_dim, dropout, max_sequence_length, num_segments,
                              embedding_dim=embedding_dim, num_groups=num_groups,
                              num_inner_repetitions=num_inner_repetitions, **kwargs)

    def _blocks(self):
        self.transformer_layers = [
            [self._layer("group_" + str(g) + "_inner_layer_" + str(i))
             for i in range(self.num_inner_repetitions)] for g in range(self.num_groups)]
        calls = self.num_layers // self.num_groups
        return [layer for group in self.transformer_layers for _ in range(calls)
                for layer in group]


class RobertaBackbone(BertBackbone):
    family = "Roberta"
    _epsilon = 1e-5
    _embeds = "embeddings"

    def _layer(self, name):
        return TransformerEncoder(self.intermediate_dim, self.num_heads, self.dropout, "gelu",
                                  self._epsilon, kernel_initializer=_start(), name=name)

    def _network(self):
        given = {name: ids(name) for name in ("token_ids", "padding_mask")}
        self.embeddings = TokenAndPositionEmbedding(self.vocabulary_size,
                                                    self.max_sequence_length, self.hidden_dim,
                                                    name=self._embeds)
        self.token_embedding = self.embeddings.token_embedding
        self.embeddings_layer_norm = _L.LayerNormalization(epsilon=self._epsilon,
                                                           name="embeddings_layer_norm")
        x = self.embeddings_layer_norm(self.embeddings(given["token_ids"]))
        x = _L.Dropout(self.dropout)(x)
        for layer in self._blocks():
            x = layer(x, padding_mask=given["padding_mask"])
        return given, x


class XLMRobertaBackbone(RobertaBackbone):
    family = "XLMRoberta"


class DistilBertBackbone(RobertaBackbone):
    family = "DistilBert"
    _epsilon = 1e-12
    _embeds = "token_and_position_embedding"


class _Distances(Layer):
    """A vector for each distance between tokens, normed."""

    def __init__(self, width, buckets, **kwargs):
        Layer.__init__(self, **kwargs)
        self.buckets, self.width = buckets, width
        self.layer_norm = _L.LayerNormalization(epsilon=1e-7, name="rel_embeddings_layer_norm")

    def build(self, input_shape):
        self.rel_embeddings = self.add_weight(name="rel_embedding",
                                              shape=(2 * self.buckets, self.width))
        self.built = True

    def call(self, inputs):
        table = put(self.rel_embeddings._h, code(inputs._h))
        y = self.layer_norm(wrap(reshape(table, (1, 2 * self.buckets, self.width))))
        shape = [dims(inputs._h)[0], 2 * self.buckets, self.width]
        return wrap(op("tw.broadcast_in_dim", [y._h], {"shape": shape}))


class _Disentangled(Layer):
    """Attention of contents to each other and to distances, both ways."""

    def __init__(self, heads, width, most, buckets, dropout, **kwargs):
        Layer.__init__(self, **kwargs)
        self.heads, self.width, self.most, self.buckets = heads, width, most, buckets
        self.dropout = _L.Dropout(dropout)

    def build(self, inputs_shape, rel_embeddings_shape=None):
        def made(name):
            layer = _L.EinsumDense("abc,cde->abde", (None, self.heads, self.width // self.heads),
                                   bias_axes="de", name=name, dtype=self.dtype_policy)
            layer.build(inputs_shape)
            return layer
        self._query_dense, self._key_dense, self._value_dense = [
            made(name) for name in ("query", "key", "value")]
        self._output_dense = _L.EinsumDense("abc,cd->abd", (None, self.width), bias_axes="d",
                                            name="attention_output", dtype=self.dtype_policy)
        self._output_dense.build(inputs_shape)
        self.built = True

    def _bucket(self, n):
        """s32[n, n]: the bucket of each distance; far ones share theirs."""
        rows, columns = [op("tw.iota", [], {"shape": [n, n], "dim": i, "dtype": "s32"})
                         for i in (0, 1)]
        distance, middle = sub(rows, columns), self.buckets // 2
        size = unary("abs", distance)
        near = compare("LE", size, middle)
        far = unary("log", div(put(binary("maximum", size, 1), "f32"), float(middle)))
        far = unary("ceil", mul(far, (middle - 1) / math.log((self.most - 1) / middle)))
        far = mul(binary("add", put(far, "s32"), middle), unary("sign", distance))
        return select(near, distance, far)

    def _picked(self, scores, place):
        """scores[b, h, n, buckets] at a place for each pair of tokens."""
        shape = dims(scores)[:3] + (dims(place)[1],)
        index = op("tw.broadcast_in_dim", [reshape(place, (1, 1) + tuple(dims(place)))],
                   {"shape": list(shape)})
        return keras.ops.take_along_axis(wrap(scores), wrap(index), axis=3)._h

    def call(self, inputs, rel_embeddings, attention_mask=None, training=None):
        q, k, v = [layer(inputs)._h for layer in (self._query_dense, self._key_dense,
                                                  self._value_dense)]
        scale = 1.0 / math.sqrt(3.0 * (self.width // self.heads))
        scores = mul(einsum("aecd,abcd->acbe", k, q), scale)
        table = self.dropout(rel_embeddings, training=training)
        to = einsum("aecd,abcd->acbe", self._key_dense(table)._h, q)
        back = einsum("aecd,abcd->acbe", self._query_dense(table)._h, k)
        bucket = self._bucket(dims(q)[1])
        last = 2 * self.buckets - 1
        ends = {"min": 0, "max": last}
        ahead = op("tw.clamp", [binary("add", bucket, self.buckets)], ends)
        behind = op("tw.clamp", [sub(self.buckets, bucket)], ends)
        scores = add(scores, mul(self._picked(to, ahead), scale))
        scores = add(scores, mul(transpose(self._picked(back, behind), (0, 1, 3, 2)), scale))
        if attention_mask is not None:
            m = attention_mask._h
            scores = masked(scores, reshape(m, (dims(m)[0], 1) + tuple(dims(m))[1:]))
        w = op("tw.softmax", [put(scores, "f32")], {"dim": -1})
        w = self.dropout(wrap(put(w, code(q))), training=training)._h
        y = einsum("acbe,aecd->abcd", w, v)
        return self._output_dense(wrap(reshape(y, tuple(dims(y))[:2] + (self.width,))))




class DisentangledAttentionEncoder(TransformerEncoder):
    def __init__(self, most, buckets, *args, **kwargs):
        TransformerEncoder.__init__(self, *args, **kwargs)
        self.most, self.buckets = most, buckets

    def _attention(self, name, width):
        return _Disentangled(self.num_heads, width, self.most, self.buckets, self.dropout,
                             name=name, dtype=self.dtype_policy)

    def call(self, inputs, rel_embeddings, padding_mask=None, training=None):
        m = attention_mask(inputs, padding_mask)
        if m is not None:  # of both tokens of a pair
            b, _, n = dims(m._h)
            m = wrap(op("tw.binary", [m._h, reshape(m._h, (b, n, 1))], {"kind": "and"}))
        x = self._around(inputs, self._self_attention_layer_norm, lambda y: (
            self._self_attention_layer(y, rel_embeddings, attention_mask=m, training=training)),
            training)
        return self._feedforward(x, training)


class DebertaV3Backbone(BertBackbone):
    family = "DebertaV3"

    def __init__(self, vocabulary_size, num_layers, num_heads, hidden_dim, intermediate_dim,
                 dropout=0.1, max_sequence_length=512, bucket_size=256, **kwargs):
        BertBackbone.__init__(self, vocabulary_size, num_layers, num_heads, hidden_dim,
                              intermediate_dim, dropout, max_sequence_length,
                              bucket_size=bucket_size, **kwargs)

    def _network(self):
        given = {name: ids(name) for name in ("token_ids", "padding_mask")}
        self.token_embedding = ReversibleEmbedding(self.vocabulary_size, self.hidden_dim,
                                                   name="token_embedding")
        self.embeddings_layer_norm = _L.LayerNormalization(epsilon=1e-7,
                                                           name="embeddings_layer_norm")
        self.relative_embeddings = _Distances(self.hidden_dim, self.bucket_size,
                                              name="rel_embedding")
        self.transformer_layers = [
            DisentangledAttentionEncoder(
                self.max_sequence_length, self.bucket_size, self.intermediate_dim, self.num_heads,
                self.dropout, "gelu", 1e-7,
                name="disentangled_attention_encoder_layer_" + str(i))
            for i in range(self.num_layers)]
        x = self.embeddings_layer_norm(self.token_embedding(given["token_ids"]))
        x = _L.Dropout(self.dropout)(x)
        distances = self.relative_embeddings(x)
        for layer in self.transformer_layers:
            x = layer(x, rel_embeddings=distances, padding_mask=given["padding_mask"])
        return given, x
