"""Products, recurrent cells, attention and what holds layers."""

import math

import jax
import jax.numpy as jnp
from .._module import Module, field


def uniform(key, shape, limit, dtype=None):
    return jax.random.uniform(key, shape, dtype or jnp.float32, -limit, limit)


class Linear(Module):
    weight: object
    bias: object
    in_features: object = field(static=True)
    out_features: object = field(static=True)
    use_bias: bool = field(static=True)

    def __init__(self, in_features, out_features, use_bias=True, dtype=None, *, key):
        wide = 1 if in_features == "scalar" else in_features
        high = 1 if out_features == "scalar" else out_features
        limit = 1 / math.sqrt(wide) if wide else 0
        self.weight = uniform(key, (high, wide), limit, dtype)
        self.bias = uniform(key, (high,), limit, dtype) if use_bias else None
        self.in_features, self.out_features, self.use_bias = in_features, out_features, use_bias

    def __call__(self, x, *, key=None):
        if self.in_features == "scalar":
            x = jnp.reshape(x, (1,))
        x = self.weight @ x
        if self.bias is not None:
            x = x + self.bias
        return jnp.squeeze(x) if self.out_features == "scalar" else x


class Identity(Module):
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, x, *, key=None):
        return x


class Embedding(Module):
    num_embeddings: int = field(static=True)
    embedding_size: int = field(static=True)
    weight: object

    def __init__(self, num_embeddings=None, embedding_size=None, weight=None, dtype=None, *,
                 key=None):
        if weight is None:
            weight = jax.random.normal(key, (num_embeddings, embedding_size),
                                       dtype or jnp.float32)
        self.num_embeddings, self.embedding_size = weight.shape
        self.weight = weight

    def __call__(self, x, *, key=None):
        return self.weight[x]


class Dropout(Module):
    p: float
    inference: bool

    def __init__(self, p=0.5, inference=False, *, deterministic=None):
        self.p, self.inference = p, inference

    def __call__(self, x, *, key=None, inference=None, deterministic=None):
        inference = self.inference if inference is None else inference
        if inference or self.p == 0 or key is None:
            return x
        kept = jax.random.bernoulli(key, 1 - self.p, x.shape)
        return jnp.where(kept, x / (1 - self.p), 0)


class PReLU(Module):
    negative_slope: object

    def __init__(self, init_alpha=0.25):
        self.negative_slope = jnp.array(init_alpha)

    def __call__(self, x, *, key=None):
        return jnp.where(x >= 0, x, self.negative_slope * x)


class Lambda(Module):
    fn: object

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, x, *, key=None):
        return self.fn(x)


class Sequential(Module):
    layers: tuple

    def __init__(self, layers):
        self.layers = tuple(layers)

    def __call__(self, x, state=None, *, key=None):
        keys = [None] * len(self.layers) if key is None else \
            list(jax.random.split(key, len(self.layers)))
        given = state is not None
        for layer, k in zip(self.layers, keys):
            if given and getattr(layer, "is_stateful", lambda: False)():
                x, state = layer(x, state, key=k)
            else:
                x = layer(x, key=k)
        return (x, state) if given else x

    def is_stateful(self):
        return any([getattr(layer, "is_stateful", lambda: False)() for layer in self.layers])

    def __getitem__(self, i):
        return Sequential(self.layers[i]) if isinstance(i, slice) else self.layers[i]

    def __iter__(self):
        return iter(self.layers)

    def __len__(self):
        return len(self.layers)


def _same(x):
    return x


class MLP(Module):
    layers: tuple
    activation: object
    final_activation: object
    in_size: object = field(static=True)
    out_size: object = field(static=True)
    width_size: int = field(static=True)
    depth: int = field(static=True)

    def __init__(self, in_size, out_size, width_size, depth, activation=jax.nn.relu,
                 final_activation=_same, use_bias=True, use_final_bias=True, dtype=None, *, key):
        keys = jax.random.split(key, depth + 1)
        sizes = [in_size] + [width_size] * depth + [out_size]
        self.layers = tuple([
            Linear(sizes[i], sizes[i + 1], use_bias if i < depth else use_final_bias, dtype,
                   key=keys[i]) for i in range(depth + 1)])
        self.in_size, self.out_size, self.width_size = in_size, out_size, width_size
        self.depth, self.activation, self.final_activation = depth, activation, final_activation

    def __call__(self, x, *, key=None):
        for layer in self.layers[:-1]:
            x = self.activation(layer(x))
        return self.final_activation(self.layers[-1](x))


class GRUCell(Module):
    weight_ih: object
    weight_hh: object
    bias: object
    bias_n: object
    input_size: int = field(static=True)
    hidden_size: int = field(static=True)

    def __init__(self, input_size, hidden_size, use_bias=True, dtype=None, *, key):
        limit, h = 1 / math.sqrt(hidden_size), hidden_size
        self.weight_ih = uniform(key, (3 * h, input_size), limit, dtype)
        self.weight_hh = uniform(key, (3 * h, h), limit, dtype)
        self.bias = uniform(key, (3 * h,), limit, dtype) if use_bias else None
        self.bias_n = uniform(key, (h,), limit, dtype) if use_bias else None
        self.input_size, self.hidden_size = input_size, hidden_size

    def __call__(self, input, hidden, *, key=None):
        i, h = self.weight_ih @ input, self.weight_hh @ hidden
        if self.bias is not None:
            i = i + self.bias
        ir, iz, inew = jnp.split(i, 3)
        hr, hz, hnew = jnp.split(h, 3)
        if self.bias_n is not None:
            hnew = hnew + self.bias_n
        reset, update = jax.nn.sigmoid(ir + hr), jax.nn.sigmoid(iz + hz)
        new = jnp.tanh(inew + reset * hnew)
        return new + update * (hidden - new)


class LSTMCell(Module):
    weight_ih: object
    weight_hh: object
    bias: object
    input_size: int = field(static=True)
    hidden_size: int = field(static=True)

    def __init__(self, input_size, hidden_size, use_bias=True, dtype=None, *, key):
        limit, h = 1 / math.sqrt(hidden_size), hidden_size
        self.weight_ih = uniform(key, (4 * h, input_size), limit, dtype)
        self.weight_hh = uniform(key, (4 * h, h), limit, dtype)
        self.bias = uniform(key, (4 * h,), limit, dtype) if use_bias else None
        self.input_size, self.hidden_size = input_size, hidden_size

    def __call__(self, input, hidden, *, key=None):
        h, c = hidden
        total = self.weight_ih @ input + self.weight_hh @ h
        if self.bias is not None:
            total = total + self.bias
        i, f, g, o = jnp.split(total, 4)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return jax.nn.sigmoid(o) * jnp.tanh(c), c


def _each(layer, x):
    """A Linear layer for each row of x."""
    y = x @ layer.weight.T
    return y if layer.bias is None else y + layer.bias


class MultiheadAttention(Module):
    query_proj: Linear
    key_proj: Linear
    value_proj: Linear
    output_proj: Linear
    dropout: Dropout
    num_heads: int = field(static=True)
    qk_size: int = field(static=True)
    vo_size: int = field(static=True)

    def __init__(self, num_heads, query_size, key_size=None, value_size=None, output_size=None,
                 qk_size=None, vo_size=None, use_query_bias=False, use_key_bias=False,
                 use_value_bias=False, use_output_bias=False, dropout_p=0.0, inference=False,
                 dtype=None, *, key):
        qk, vo = qk_size or query_size // num_heads, vo_size or query_size // num_heads
        keys = jax.random.split(key, 4)
        self.query_proj = Linear(query_size, num_heads * qk, use_query_bias, dtype, key=keys[0])
        self.key_proj = Linear(key_size or query_size, num_heads * qk, use_key_bias, dtype,
                               key=keys[1])
        self.value_proj = Linear(value_size or query_size, num_heads * vo, use_value_bias, dtype,
                                 key=keys[2])
        self.output_proj = Linear(num_heads * vo, output_size or query_size, use_output_bias,
                                  dtype, key=keys[3])
        self.dropout = Dropout(dropout_p, inference)
        self.num_heads, self.qk_size, self.vo_size = num_heads, qk, vo

    def __call__(self, query, key_, value, mask=None, *, key=None, inference=None,
                 deterministic=None, process_heads=None):
        def heads(layer, x):
            return jnp.reshape(_each(layer, x), (x.shape[0], self.num_heads, -1))
        q, k, v = (heads(self.query_proj, query), heads(self.key_proj, key_),
                   heads(self.value_proj, value))
        if process_heads is not None:
            q, k, v = process_heads(q, k, v)
        logits = jnp.einsum("shd,Shd->hsS", q / math.sqrt(self.qk_size), k)
        if mask is not None:
            logits = jnp.where(mask, logits, -1e30)
        weights = self.dropout(jax.nn.softmax(logits, -1), key=key, inference=inference)
        out = jnp.einsum("hsS,Shd->shd", weights, v)
        return _each(self.output_proj, jnp.reshape(out, (query.shape[0], -1)))


class RotaryPositionalEmbedding(Module):
    embedding_size: int = field(static=True)
    theta: float = field(static=True)

    def __init__(self, embedding_size, theta=10000.0, dtype=None):
        self.embedding_size, self.theta = embedding_size, theta

    def __call__(self, x, *, key=None):
        n, half = x.shape[0], self.embedding_size // 2
        rates = self.theta ** (-jnp.arange(half) / half)
        angles = jnp.arange(n)[:, None] * rates[None, :]
        angles = jnp.concatenate([angles, angles], -1)
        turned = jnp.concatenate([-x[:, half:], x[:, :half]], -1)
        return x * jnp.cos(angles) + turned * jnp.sin(angles)


class Shared(Module):
    pytree: object

    def __init__(self, pytree, where=None, get=None):
        self.pytree = pytree

    def __call__(self):
        return self.pytree


class WeightNorm(Module):
    layer: object

    def __init__(self, layer, weight_name="weight", axis=0):
        self.layer = layer

    def __call__(self, x, *, key=None):
        return self.layer(x)
