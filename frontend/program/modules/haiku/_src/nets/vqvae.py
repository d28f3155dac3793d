"""Vector quantizers of hk.nets."""

import haiku as hk
import jax
from jax import numpy as jnp


class VectorQuantizer(hk.Module):
    def __init__(self, embedding_dim, num_embeddings, commitment_cost, dtype=None, name=None,
                 cross_replica_axis=None):
        super().__init__(name=name)
        self.embedding_dim = embedding_dim
        self.num_embeddings = num_embeddings
        self.commitment_cost = commitment_cost

    def _table(self):
        return hk.get_parameter("embeddings", [self.embedding_dim, self.num_embeddings])

    _table._done = True

    def __call__(self, inputs, is_training=True):
        table = self._table()
        flat = jnp.reshape(inputs, (-1, self.embedding_dim))
        distances = (jnp.sum(jnp.square(flat), 1, keepdims=True) - 2 * jnp.matmul(flat, table)
                     + jnp.sum(jnp.square(table), 0, keepdims=True))
        ids = jnp.argmax(-distances, 1)
        codes = jax.nn.one_hot(ids, self.num_embeddings)
        ids = jnp.reshape(ids, inputs.shape[:-1])
        quantized = jnp.take(jnp.swapaxes(table, 0, 1), ids, axis=0)
        e = jnp.mean(jnp.square(quantized - inputs))
        loss = e + self.commitment_cost * e
        p = jnp.mean(codes, 0)
        return {"quantize": quantized, "loss": loss, "encodings": codes,
                "perplexity": jnp.exp(-jnp.sum(p * jnp.log(p + 1e-10))),
                "encoding_indices": ids, "distances": distances}


class VectorQuantizerEMA(VectorQuantizer):
    def __init__(self, embedding_dim, num_embeddings, commitment_cost, decay=0.99, epsilon=1e-5,
                 dtype=None, cross_replica_axis=None, name=None):
        super().__init__(embedding_dim, num_embeddings, commitment_cost, name=name)

    def _table(self):
        return hk.get_state("embeddings", [self.embedding_dim, self.num_embeddings])

    _table._done = True
