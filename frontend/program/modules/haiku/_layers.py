"""Haiku's modules."""

import math

import _tilewise as _t
from jax import _core as _c
from jax import lax
from jax import nn as _nn
from jax import numpy as jnp
from jax._core import Array, as_array, binary
from flax.linen import _layers as _l
from haiku._core import (Module, get_parameter, get_state, set_state, frame, transparent)

F32 = _c.float32


def _list(v, n):
    return [v] * n if isinstance(v, int) else list(v)


class Linear(Module):
    def __init__(self, output_size, with_bias=True, w_init=None, b_init=None, name=None):
        super().__init__(name=name)
        self.output_size = output_size
        self.with_bias = with_bias
        self.w_init = w_init
        self.b_init = b_init

    def __call__(self, inputs, *, precision=None):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        w = get_parameter("w", [x.shape[-1], self.output_size], x.dtype, self.w_init)
        y = _c.dot_general(x, w, [len(x.shape) - 1], [0])
        if self.with_bias:
            y = binary("add", y, get_parameter("b", [self.output_size], x.dtype, self.b_init))
        return y


class Bias(Module):
    def __init__(self, output_size=None, bias_dims=None, b_init=None, name=None):
        super().__init__(name=name)
        self.bias_dims = bias_dims

    def __call__(self, inputs, multiplier=None):
        x = as_array(inputs)
        shape = x.shape[1:] if self.bias_dims is None else tuple(
            x.shape[d] for d in self.bias_dims)
        return binary("add", x, get_parameter("b", shape, x.dtype))


class ConvND(Module):
    def __init__(self, num_spatial_dims, output_channels, kernel_shape, stride=1, rate=1,
                 padding="SAME", with_bias=True, w_init=None, b_init=None,
                 data_format="channels_last", mask=None, feature_group_count=1, name=None):
        super().__init__(name=name)
        n = num_spatial_dims
        self.num_spatial_dims = n
        self.output_channels = output_channels
        self.kernel_shape = _list(kernel_shape, n)
        self.stride = _list(stride, n)
        self.rate = _list(rate, n)
        self.padding = padding
        self.with_bias = with_bias
        self.channels_first = data_format in ("channels_first", "NCW", "NCHW", "NCDHW")
        self.groups = feature_group_count
        self.mask = mask

    def __call__(self, inputs, *, precision=None):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        n = self.num_spatial_dims
        alone = len(x.shape) == n + 1
        if alone:
            x = _c.expand_dims(x, 0)
        if self.channels_first:
            x = _c.moveaxis(x, 1, -1)
        c = x.shape[-1]
        w = get_parameter("w", self.kernel_shape + [c // self.groups, self.output_channels],
                          x.dtype)
        if self.mask is not None:
            w = w * self.mask
        p = self.padding
        if callable(p):
            p = [p(k) for k in self.kernel_shape]
        elif isinstance(p, (list, tuple)) and p and callable(p[0]):
            p = [q(k) for q, k in zip(p, self.kernel_shape)]
        elif isinstance(p, tuple) and len(p) == 2 and isinstance(p[0], int):
            p = [p] * n
        y = _c.conv(x, w, self.stride, p, None, self.rate, self.groups)
        if self.with_bias:
            shape = (self.output_channels,) + (1,) * n if self.channels_first \
                else (self.output_channels,)
            b = get_parameter("b", shape, x.dtype)
            y = binary("add", y, _c.reshape(b, (self.output_channels,)))
        if self.channels_first:
            y = _c.moveaxis(y, -1, 1)
        return _c.squeeze(y, 0) if alone else y


class Conv1D(ConvND):
    def __init__(self, output_channels, kernel_shape, stride=1, rate=1, padding="SAME",
                 with_bias=True, w_init=None, b_init=None, data_format="NWC", mask=None,
                 feature_group_count=1, name=None):
        super().__init__(1, output_channels, kernel_shape, stride, rate, padding, with_bias,
                         w_init, b_init, data_format, mask, feature_group_count, name)


class Conv2D(ConvND):
    def __init__(self, output_channels, kernel_shape, stride=1, rate=1, padding="SAME",
                 with_bias=True, w_init=None, b_init=None, data_format="NHWC", mask=None,
                 feature_group_count=1, name=None):
        super().__init__(2, output_channels, kernel_shape, stride, rate, padding, with_bias,
                         w_init, b_init, data_format, mask, feature_group_count, name)


class Conv3D(ConvND):
    def __init__(self, output_channels, kernel_shape, stride=1, rate=1, padding="SAME",
                 with_bias=True, w_init=None, b_init=None, data_format="NDHWC", mask=None,
                 feature_group_count=1, name=None):
        super().__init__(3, output_channels, kernel_shape, stride, rate, padding, with_bias,
                         w_init, b_init, data_format, mask, feature_group_count, name)


class DepthwiseConv2D(Module):
    def __init__(self, channel_multiplier, kernel_shape, stride=1, padding="SAME", with_bias=True,
                 w_init=None, b_init=None, data_format="NHWC", rate=1, name=None):
        super().__init__(name=name)
        self.channel_multiplier = channel_multiplier
        self.kernel_shape = _list(kernel_shape, 2)
        self.stride = _list(stride, 2)
        self.padding = padding
        self.with_bias = with_bias

    def __call__(self, inputs):
        x = as_array(inputs)
        c = x.shape[-1]
        w = get_parameter("w", self.kernel_shape + [1, c * self.channel_multiplier], x.dtype)
        y = _c.conv(x, w, self.stride, self.padding, groups=c)
        if self.with_bias:
            y = binary("add", y, get_parameter("b", (c * self.channel_multiplier,), x.dtype))
        return y


class ConvNDTranspose(Module):
    def __init__(self, num_spatial_dims, output_channels, kernel_shape, stride=1,
                 output_shape=None, padding="SAME", with_bias=True, w_init=None, b_init=None,
                 data_format="channels_last", mask=None, name=None):
        super().__init__(name=name)
        n = num_spatial_dims
        self.num_spatial_dims = n
        self.output_channels = output_channels
        self.kernel_shape = _list(kernel_shape, n)
        self.stride = _list(stride, n)
        self.padding = padding
        self.with_bias = with_bias

    def __call__(self, inputs):
        x = as_array(inputs)
        w = get_parameter("w", self.kernel_shape + [self.output_channels, x.shape[-1]], x.dtype)
        n = self.num_spatial_dims
        w = _c.swapaxes(w, n, n + 1)
        y = lax.conv_transpose(x, w, self.stride, self.padding)
        if self.with_bias:
            y = binary("add", y, get_parameter("b", (self.output_channels,), x.dtype))
        return y


class Conv1DTranspose(ConvNDTranspose):
    def __init__(self, output_channels, kernel_shape, stride=1, output_shape=None, padding="SAME",
                 with_bias=True, w_init=None, b_init=None, data_format="NWC", mask=None,
                 name=None):
        super().__init__(1, output_channels, kernel_shape, stride, output_shape, padding,
                         with_bias, w_init, b_init, data_format, mask, name)


class Conv2DTranspose(ConvNDTranspose):
    def __init__(self, output_channels, kernel_shape, stride=1, output_shape=None, padding="SAME",
                 with_bias=True, w_init=None, b_init=None, data_format="NHWC", mask=None,
                 name=None):
        super().__init__(2, output_channels, kernel_shape, stride, output_shape, padding,
                         with_bias, w_init, b_init, data_format, mask, name)


class Conv3DTranspose(ConvNDTranspose):
    def __init__(self, output_channels, kernel_shape, stride=1, output_shape=None, padding="SAME",
                 with_bias=True, w_init=None, b_init=None, data_format="NDHWC", mask=None,
                 name=None):
        super().__init__(3, output_channels, kernel_shape, stride, output_shape, padding,
                         with_bias, w_init, b_init, data_format, mask, name)


class ExponentialMovingAverage(Module):
    def __init__(self, decay, zero_debias=True, warmup_length=0, name=None):
        super().__init__(name=name)
        self.decay = decay

    def initialize(self, shape, dtype=F32):
        get_state("hidden", shape, dtype)
        get_state("average", shape, dtype)
        get_state("counter", (), _c.int32)

    def __call__(self, value, update_stats=True):
        value = as_array(value)
        get_state("counter", (), _c.int32)
        h = get_state("hidden", value.shape, value.dtype)
        a = get_state("average", value.shape, value.dtype)
        new = h * self.decay + value * (1 - self.decay)
        if update_stats:
            set_state("hidden", new)
            set_state("average", new)
        return new

    @property
    def average(self):
        return get_state("average")


class EMAParamsTree(Module):
    def __init__(self, decay, zero_debias=True, warmup_length=0, ignore_regex="", name=None):
        super().__init__(name=name)

    def __call__(self, tree, update_stats=True):
        return tree


class BatchNorm(Module):
    def __init__(self, create_scale, create_offset, decay_rate, eps=1e-5, scale_init=None,
                 offset_init=None, axis=None, cross_replica_axis=None,
                 cross_replica_axis_index_groups=None, data_format="channels_last", name=None):
        super().__init__(name=name)
        self.create_scale = create_scale
        self.create_offset = create_offset
        self.decay_rate = decay_rate
        self.eps = eps
        self.first = data_format in ("channels_first", "NCHW", "NCW", "NCDHW")
        self.mean_ema = ExponentialMovingAverage(decay_rate, name="mean_ema")
        self.var_ema = ExponentialMovingAverage(decay_rate, name="var_ema")

    def __call__(self, inputs, is_training, test_local_stats=False, scale=None, offset=None):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        at = 1 if self.first else len(x.shape) - 1
        shape = [1] * len(x.shape)
        shape[at] = x.shape[at]
        c = x.shape[at]
        if self.create_scale:
            scale = get_parameter("scale", shape, x.dtype)
        elif scale is None:
            scale = jnp.ones(shape, x.dtype)
        if self.create_offset:
            offset = get_parameter("offset", shape, x.dtype)
        elif offset is None:
            offset = jnp.zeros(shape, x.dtype)
        self.mean_ema.initialize(shape)
        self.var_ema.initialize(shape)
        training = is_training or test_local_stats
        if x._b:
            dims = tuple(i for i in range(len(x.shape)) if i != at)
            m = _c.reduce("mean", x, dims, True)
            v = _c.reduce("variance", x, dims, True)
            return (x - m) * lax.rsqrt(v + self.eps) * scale + offset
        flat = [_c.reshape(v, (c,)) for v in (as_array(scale), as_array(offset))]
        stats = [_c.reshape(e.average, (c,)) for e in (self.mean_ema, self.var_ema)]
        h = _t.op("tw.batch_norm", [x._h] + [v._h for v in flat + stats], {
            "feature_dim": at, "epsilon": float(self.eps), "momentum": float(self.decay_rate),
            "training": bool(training)})
        return _c.new(h)


class LayerNorm(Module):
    def __init__(self, axis, create_scale, create_offset, eps=1e-5, scale_init=None,
                 offset_init=None, use_fast_variance=False, name=None, *, param_axis=None):
        super().__init__(name=name)
        self.axis = axis
        self.create_scale = create_scale
        self.create_offset = create_offset
        self.eps = eps
        self.param_axis = param_axis

    def __call__(self, inputs, scale=None, offset=None):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        n = len(x.shape)
        axes = _l._list(self.axis, 1) if not isinstance(self.axis, slice) \
            else list(range(n))[self.axis]
        axes = [a % n for a in axes]
        features = [n - 1] if self.param_axis is None else [
            a % n for a in _l._list(self.param_axis, 1)]
        shape = tuple(x.shape[a] for a in features)
        if self.create_scale:
            scale = get_parameter("scale", shape, x.dtype)
        if self.create_offset:
            offset = get_parameter("offset", shape, x.dtype)
        if scale is not None and as_array(scale).shape != shape:
            y = _l.layer_norm(x, None, None, axes, axes, self.eps, x.dtype)
            y = y * scale
            return y if offset is None else y + offset
        return _l.layer_norm(x, scale, offset, axes, features, self.eps, x.dtype)


class RMSNorm(Module):
    def __init__(self, axis, eps=1e-5, scale_init=None, name=None, create_scale=True, *,
                 param_axis=None):
        super().__init__(name=name)
        self.axis = axis
        self.eps = eps
        self.create_scale = create_scale

    def __call__(self, inputs):
        x = as_array(inputs)
        n = len(x.shape)
        axes = [a % n for a in _l._list(self.axis, 1)]
        scale = get_parameter("scale", (x.shape[-1],), x.dtype) if self.create_scale else None
        return _l.rms_norm(x, scale, axes, [n - 1], self.eps, x.dtype)


class GroupNorm(Module):
    def __init__(self, groups, axis=slice(1, None), create_scale=True, create_offset=True,
                 eps=1e-5, scale_init=None, offset_init=None, data_format="channels_last",
                 name=None):
        super().__init__(name=name)
        self.groups = groups
        self.create_scale = create_scale
        self.create_offset = create_offset
        self.eps = eps

    def __call__(self, x, scale=None, offset=None):
        x = as_array(x)
        c = x.shape[-1]
        if self.create_scale:
            scale = get_parameter("scale", (c,), x.dtype)
        if self.create_offset:
            offset = get_parameter("offset", (c,), x.dtype)
        return _l.group_norm(x, scale, offset, self.groups, self.eps, x.dtype)


class InstanceNorm(Module):
    def __init__(self, create_scale, create_offset, eps=1e-5, scale_init=None, offset_init=None,
                 data_format="channels_last", name=None):
        super().__init__(name=name)
        self.create_scale = create_scale
        self.create_offset = create_offset
        self.eps = eps

    def __call__(self, x, scale=None, offset=None):
        x = as_array(x)
        c = x.shape[-1]
        scale = get_parameter("scale", (c,), x.dtype) if self.create_scale else scale
        offset = get_parameter("offset", (c,), x.dtype) if self.create_offset else offset
        return _l.group_norm(x, scale, offset, c, self.eps, x.dtype)


class EmbedLookupStyle:
    ARRAY_INDEX = "ARRAY_INDEX"
    ONE_HOT = "ONE_HOT"


class Embed(Module):
    def __init__(self, vocab_size=None, embed_dim=None, embedding_matrix=None, w_init=None,
                 lookup_style="ARRAY_INDEX", name=None, precision=None):
        super().__init__(name=name)
        self.vocab_size = vocab_size
        self.embed_dim = embed_dim
        self.lookup_style = str(lookup_style)
        if embedding_matrix is not None:
            embedding_matrix = as_array(embedding_matrix)
            self.vocab_size, self.embed_dim = embedding_matrix.shape

    @property
    def embeddings(self):
        return get_parameter("embeddings", [self.vocab_size, self.embed_dim])

    def __call__(self, ids, lookup_style=None, precision=None):
        ids = as_array(ids)
        table = get_parameter("embeddings", [self.vocab_size, self.embed_dim])
        if "ONE_HOT" in str(lookup_style or self.lookup_style):
            x = _nn.one_hot(ids, self.vocab_size)
            return _c.dot_general(x, table, [len(x.shape) - 1], [0])
        return _c.take(table, ids, 0)


class Sequential(Module):
    def __init__(self, layers, name=None):
        super().__init__(name=name)
        self.layers = tuple(layers)

    def __call__(self, inputs, *args, **kw):
        out = inputs
        for i, layer in enumerate(self.layers):
            out = layer(out, *args, **kw) if i == 0 else layer(out)
        return out


class Reshape(Module):
    def __init__(self, output_shape, preserve_dims=1, name=None):
        super().__init__(name=name)
        self.output_shape = tuple(output_shape)
        self.preserve_dims = preserve_dims

    def __call__(self, inputs):
        x = as_array(inputs)
        return _c.reshape(x, tuple(x.shape[:self.preserve_dims]) + self.output_shape)


class Flatten(Module):
    def __init__(self, preserve_dims=1, name=None):
        super().__init__(name=name)
        self.preserve_dims = preserve_dims

    def __call__(self, inputs):
        x = as_array(inputs)
        k = self.preserve_dims
        k = k + len(x.shape) if k < 0 else k
        if len(x.shape) <= k:
            return x
        return _c.reshape(x, tuple(x.shape[:k]) + (-1,))


class MLP(Module):
    def __init__(self, output_sizes, w_init=None, b_init=None, with_bias=True,
                 activation=_nn.relu, activate_final=False, name=None):
        super().__init__(name=name)
        self.activation = activation
        self.activate_final = activate_final
        layers = []
        for i, n in enumerate(output_sizes):
            layers.append(Linear(n, with_bias=with_bias, name="linear_%d" % i))
        self.layers = tuple(layers)

    def __call__(self, inputs, dropout_rate=None, rng=None):
        out = inputs
        n = len(self.layers)
        for i, layer in enumerate(self.layers):
            out = layer(out)
            if i < n - 1 or self.activate_final:
                if dropout_rate is not None:
                    out = _l.dropout(out, dropout_rate)
                out = self.activation(out)
        return out


class MultiHeadAttention(Module):
    def __init__(self, num_heads, key_size, w_init_scale=None, *, w_init=None, with_bias=True,
                 b_init=None, value_size=None, model_size=None, name=None):
        super().__init__(name=name)
        self.num_heads = num_heads
        self.key_size = key_size
        self.value_size = value_size or key_size
        self.model_size = model_size or key_size * num_heads
        self.with_bias = with_bias

    def __call__(self, query, key, value, mask=None):
        q = self._heads(query, self.key_size, "query")
        k = self._heads(key, self.key_size, "key")
        v = self._heads(value, self.value_size, "value")
        w = jnp.einsum("...thd,...Thd->...htT", q, k) / math.sqrt(self.key_size)
        if mask is not None:
            w = jnp.where(mask, w, -1e30)
        w = _nn.softmax(w)
        y = jnp.einsum("...htT,...Thd->...thd", w, v)
        y = _c.reshape(y, tuple(y.shape[:-2]) + (-1,))
        return Linear(self.model_size, with_bias=self.with_bias)(y)

    @transparent
    def _heads(self, x, size, name):
        y = Linear(self.num_heads * size, with_bias=self.with_bias, name=name)(x)
        return _c.reshape(y, tuple(y.shape[:-1]) + (self.num_heads, size))


class LSTMState(tuple):
    def __new__(cls, hidden, cell):
        return tuple.__new__(cls, (hidden, cell))

    @property
    def hidden(self):
        return self[0]

    @property
    def cell(self):
        return self[1]


from jax import _tree
_tree.register(LSTMState, lambda s: ([s[0], s[1]], None), lambda d, c: LSTMState(c[0], c[1]))


class RNNCore(Module):
    pass


def _zeros(batch_size, n):
    return jnp.zeros((n,) if batch_size is None else (batch_size, n))


class VanillaRNN(RNNCore):
    def __init__(self, hidden_size, double_bias=True, name=None):
        super().__init__(name=name)
        self.hidden_size = hidden_size
        self.double_bias = double_bias

    def __call__(self, inputs, prev_state):
        a = Linear(self.hidden_size, name="input_to_hidden")(inputs)
        b = Linear(self.hidden_size, self.double_bias, name="hidden_to_hidden")(prev_state)
        out = _nn.relu(a + b)
        return out, out

    def initial_state(self, batch_size):
        return _zeros(batch_size, self.hidden_size)


class LSTM(RNNCore):
    def __init__(self, hidden_size, name=None):
        super().__init__(name=name)
        self.hidden_size = hidden_size

    def __call__(self, inputs, prev_state):
        x = jnp.concatenate([inputs, prev_state[0]], -1)
        gates = Linear(4 * self.hidden_size)(x)
        i, g, f, o = jnp.split(gates, 4, -1)
        c = _nn.sigmoid(f + 1) * prev_state[1] + _nn.sigmoid(i) * jnp.tanh(g)
        h = _nn.sigmoid(o) * jnp.tanh(c)
        return h, LSTMState(h, c)

    def initial_state(self, batch_size):
        return LSTMState(_zeros(batch_size, self.hidden_size), _zeros(batch_size,
                                                                      self.hidden_size))


class GRU(RNNCore):
    def __init__(self, hidden_size, w_i_init=None, w_h_init=None, b_init=None, name=None):
        super().__init__(name=name)
        self.hidden_size = hidden_size

    def __call__(self, inputs, state):
        x = as_array(inputs)
        n = self.hidden_size
        wi = get_parameter("w_i", [x.shape[-1], 3 * n], x.dtype)
        wh = get_parameter("w_h", [n, 3 * n], x.dtype)
        b = get_parameter("b", [3 * n], x.dtype)
        gx = _c.matmul(x, wi)
        zh, ah = jnp.split(wh, [2 * n], 1)
        zx, ax = jnp.split(gx, [2 * n], -1)
        bz, ba = jnp.split(b, [2 * n], 0)
        z, r = jnp.split(_nn.sigmoid(zx + _c.matmul(state, zh) + bz), 2, -1)
        a = jnp.tanh(ax + _c.matmul(r * state, ah) + ba)
        s = (1 - z) * state + z * a
        return s, s

    def initial_state(self, batch_size):
        return _zeros(batch_size, self.hidden_size)


class DeepRNN(RNNCore):
    def __init__(self, layers, name=None):
        super().__init__(name=name)
        self.layers = layers

    def __call__(self, inputs, state):
        out = inputs
        new = []
        k = 0
        for layer in self.layers:
            if isinstance(layer, RNNCore):
                out, s = layer(out, state[k])
                new.append(s)
                k += 1
            else:
                out = layer(out)
        return out, tuple(new)

    def initial_state(self, batch_size):
        return tuple(l.initial_state(batch_size) for l in self.layers if isinstance(l, RNNCore))


def _unroll(core, inputs, state, time_major=True, reverse=False, return_all_states=False, **kw):
    axis = 0 if time_major else 1
    if axis:
        inputs = _tree.map(lambda x: _c.swapaxes(as_array(x), 0, 1), inputs)
    if frame().making:
        out, s = core(_tree.map(lambda x: as_array(x)[0], inputs), state)
        n = as_array(_tree.leaves(inputs)[0]).shape[0]
        ys = _tree.map(lambda y: _c.broadcast_to(_c.expand_dims(y, 0), [n] + list(y.shape)), out)
    else:
        f = frame()

        def body(carry, x):
            f.counters[-1] = {}
            y, carry = core(x, carry)
            return carry, y
        s, ys = lax.scan(body, state, inputs, reverse=reverse)
    if axis:
        ys = _tree.map(lambda y: _c.swapaxes(y, 0, 1), ys)
    return ys, s


def dynamic_unroll(core, input_sequence, initial_state, time_major=True, reverse=False,
                   return_all_states=False, unroll=1):
    return _unroll(core, input_sequence, initial_state, time_major, reverse)


def static_unroll(core, input_sequence, initial_state, time_major=True):
    return _unroll(core, input_sequence, initial_state, time_major)


def dropout(rng, rate, x, broadcast_dims=()):
    return x if rate == 0 else _l.dropout(x, rate, broadcast_dims)


def _window(v, x, channel_axis):
    n = len(x.shape)
    if isinstance(v, int):
        skip = (0, channel_axis % n) if channel_axis is not None else (0,)
        return [1 if i in skip else v for i in range(n)]
    v = list(v)
    return [1] * (n - len(v)) + v


def _pool(kind, x, window_shape, strides, padding, channel_axis):
    x = as_array(x)
    if _t.is_unknown(x):
        return x
    w = _window(window_shape, x, channel_axis)
    s = _window(strides, x, channel_axis)
    low, high = _c.windows(padding, x.shape, w, s, [1] * len(w))
    return _c.reduce_window(kind, x, w, s, low, high), w


def max_pool(value, window_shape, strides, padding, channel_axis=-1):
    return _pool("max", value, window_shape, strides, padding, channel_axis)[0]


def avg_pool(value, window_shape, strides, padding, channel_axis=-1):
    y, w = _pool("sum", value, window_shape, strides, padding, channel_axis)
    return y / float(math.prod(w))


class MaxPool(Module):
    def __init__(self, window_shape, strides, padding, channel_axis=-1, name="max_pool"):
        super().__init__(name=name)
        self.facts = (window_shape, strides, padding, channel_axis)

    def __call__(self, value):
        return max_pool(value, *self.facts)


class AvgPool(Module):
    def __init__(self, window_shape, strides, padding, channel_axis=-1, name="avg_pool"):
        super().__init__(name=name)
        self.facts = (window_shape, strides, padding, channel_axis)

    def __call__(self, value):
        return avg_pool(value, *self.facts)


class SpectralNorm(Module):
    def __init__(self, eps=1e-4, n_steps=1, name=None):
        super().__init__(name=name)

    def __call__(self, value, update_stats=True, **kw):
        return value


def one_hot(x, num_classes, dtype=F32):
    return _nn.one_hot(x, num_classes, dtype=dtype)


def multinomial(rng, logits, num_samples):
    from jax import random
    return random.categorical(rng, logits, shape=as_array(logits).shape[:-1] + (num_samples,))
