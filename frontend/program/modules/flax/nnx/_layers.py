"""The layers of flax.nnx."""

import math

import _tilewise as _t
from jax import _core as _c
from jax import lax
from jax import nn as _nn
from jax import numpy as jnp
from jax._core import Array, Key, as_array, binary
from flax.linen import _layers as _l
from flax.linen._layers import F32, lecun, zeros, ones, promote
from flax.nnx._graph import Module, Param, BatchStat, Cache, Variable, Rngs, value_and_grad
from flax.nnx._graph import name_weights, note_model, state, OptState, Object
from jax.nn import initializers


def _key(rngs, name="params"):
    return getattr(rngs, name)() if rngs is not None else Key(())


def _value(p):
    return None if p is None else p.value


class Linear(Module):
    def __init__(self, in_features, out_features, *, use_bias=True, dtype=None, param_dtype=F32,
                 precision=None, kernel_init=lecun, bias_init=zeros, dot_general=None,
                 promote_dtype=None, preferred_element_type=None, rngs=None, kernel_metadata=None,
                 bias_metadata=None):
        self.kernel = Param(kernel_init(_key(rngs), (in_features, out_features), param_dtype))
        self.bias = Param(bias_init(_key(rngs), (out_features,), param_dtype)) \
            if use_bias else None
        self.in_features = in_features
        self.out_features = out_features
        self.use_bias = use_bias
        self.dtype = dtype
        self.param_dtype = param_dtype

    def __call__(self, inputs, out_sharding=None):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        x, k, b = promote([x, self.kernel.value, _value(self.bias)], self.dtype)
        y = _c.dot_general(x, k, [len(x.shape) - 1], [0])
        return y if b is None else binary("add", y, b)


class LinearGeneral(Module):
    def __init__(self, in_features, out_features, *, axis=-1, batch_axis=None, use_bias=True,
                 dtype=None, param_dtype=F32, kernel_init=lecun, bias_init=zeros, precision=None,
                 dot_general=None, promote_dtype=None, rngs=None, **kw):
        self.axis = _l._list(axis, 1)
        self.in_features = _l._list(in_features, 1)
        self.out_features = _l._list(out_features, 1)
        self.dtype = dtype
        self.kernel = Param(kernel_init(_key(rngs), tuple(self.in_features + self.out_features),
                                        param_dtype))
        self.bias = Param(bias_init(_key(rngs), tuple(self.out_features), param_dtype)) \
            if use_bias else None

    def __call__(self, inputs, out_sharding=None):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        n = len(x.shape)
        axes = [a % n for a in self.axis]
        x, k, b = promote([x, self.kernel.value, _value(self.bias)], self.dtype)
        y = _c.dot_general(x, k, axes, list(range(len(axes))))
        return y if b is None else binary("add", y, b)


class Einsum(Module):
    def __init__(self, einsum_str, kernel_shape, bias_shape=None, *, dtype=None, param_dtype=F32,
                 precision=None, kernel_init=lecun, bias_init=zeros, promote_dtype=None,
                 rngs=None, **kw):
        self.einsum_str = einsum_str
        self.dtype = dtype
        self.kernel = Param(kernel_init(_key(rngs), kernel_shape, param_dtype))
        self.bias = Param(bias_init(_key(rngs), bias_shape, param_dtype)) \
            if bias_shape is not None else None

    def __call__(self, inputs, einsum_str=None, out_sharding=None):
        x, k, b = promote([as_array(inputs), self.kernel.value, _value(self.bias)], self.dtype)
        y = jnp.einsum(einsum_str or self.einsum_str, x, k)
        return y if b is None else y + b


class Conv(Module):
    def __init__(self, in_features, out_features, kernel_size, strides=1, *, padding="SAME",
                 input_dilation=1, kernel_dilation=1, feature_group_count=1, use_bias=True,
                 mask=None, dtype=None, param_dtype=F32, precision=None, kernel_init=lecun,
                 bias_init=zeros, conv_general_dilated=None, promote_dtype=None, rngs=None, **kw):
        size = [kernel_size] if isinstance(kernel_size, int) else list(kernel_size)
        self.size = size
        self.strides = strides
        self.padding = padding
        self.dilation = kernel_dilation
        self.groups = feature_group_count
        self.dtype = dtype
        self.kernel = Param(kernel_init(
            _key(rngs), tuple(size + [in_features // feature_group_count, out_features]),
            param_dtype))
        self.bias = Param(bias_init(_key(rngs), (out_features,), param_dtype)) \
            if use_bias else None

    def __call__(self, inputs, out_sharding=None):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        n = len(self.size)
        lead = x.shape[:len(x.shape) - n - 1]
        if len(lead) != 1:
            x = _c.reshape(x, [math.prod(lead)] + list(x.shape[len(lead):]))
        x, k, b = promote([x, self.kernel.value, _value(self.bias)], self.dtype)
        padding = self.padding
        if padding == "CAUSAL":
            x = jnp.pad(x, [(0, 0), (self.size[0] - 1, 0), (0, 0)])
            padding = "VALID"
        y = _c.conv(x, k, _l._ones(self.strides, n), padding, None, _l._ones(self.dilation, n),
                    self.groups)
        if b is not None:
            y = binary("add", y, b)
        return _c.reshape(y, list(lead) + list(y.shape[1:])) if len(lead) != 1 else y


class ConvTranspose(Module):
    def __init__(self, in_features, out_features, kernel_size, strides=None, *, padding="SAME",
                 kernel_dilation=None, use_bias=True, mask=None, dtype=None, param_dtype=F32,
                 precision=None, kernel_init=lecun, bias_init=zeros, transpose_kernel=False,
                 promote_dtype=None, rngs=None, **kw):
        size = [kernel_size] if isinstance(kernel_size, int) else list(kernel_size)
        self.size = size
        self.strides = strides
        self.padding = padding
        self.transpose_kernel = transpose_kernel
        self.dtype = dtype
        ends = [out_features, in_features] if transpose_kernel else [in_features, out_features]
        self.kernel = Param(kernel_init(_key(rngs), tuple(size + ends), param_dtype))
        self.bias = Param(bias_init(_key(rngs), (out_features,), param_dtype)) \
            if use_bias else None

    def __call__(self, inputs, out_sharding=None):
        x, k, b = promote([as_array(inputs), self.kernel.value, _value(self.bias)], self.dtype)
        y = lax.conv_transpose(x, k, _l._ones(self.strides, len(self.size)), self.padding,
                               transpose_kernel=self.transpose_kernel)
        return y if b is None else binary("add", y, b)


class Embed(Module):
    def __init__(self, num_embeddings, features, *, dtype=None, param_dtype=F32,
                 embedding_init=initializers.normal(), promote_dtype=None, rngs=None, **kw):
        self.embedding = Param(embedding_init(_key(rngs), (num_embeddings, features),
                                              param_dtype))
        self.num_embeddings = num_embeddings
        self.features = features
        self.dtype = dtype

    def __call__(self, inputs, out_sharding=None):
        table = self.embedding.value
        if self.dtype is not None:
            table = _c.convert(table, self.dtype)
        return _c.take(table, inputs, 0)

    def attend(self, query, out_sharding=None):
        q, t = promote([as_array(query), self.embedding.value], self.dtype)
        return _c.dot_general(q, t, [len(q.shape) - 1], [1])


class BatchNorm(Module):
    def __init__(self, num_features, *, use_running_average=False, axis=-1, momentum=0.99,
                 epsilon=1e-5, dtype=None, param_dtype=F32, use_bias=True, use_scale=True,
                 bias_init=zeros, scale_init=ones, axis_name=None, axis_index_groups=None,
                 use_fast_variance=True, promote_dtype=None, rngs=None, **kw):
        shape = (num_features,)
        self.mean = BatchStat(jnp.zeros(shape, F32))
        self.var = BatchStat(jnp.ones(shape, F32))
        self.scale = Param(scale_init(_key(rngs), shape, param_dtype)) if use_scale else None
        self.bias = Param(bias_init(_key(rngs), shape, param_dtype)) if use_bias else None
        self.use_running_average = use_running_average
        self.axis = axis
        self.momentum = momentum
        self.epsilon = epsilon
        self.dtype = dtype

    def __call__(self, x, use_running_average=None, *, mask=None):
        use = self.use_running_average if use_running_average is None else use_running_average
        x = as_array(x)
        if _t.is_unknown(x):
            return x
        if self.dtype is not None:
            x = _c.convert(x, self.dtype)
        at = self.axis % len(x.shape)
        c = x.shape[at]
        s = self.scale.value if self.scale is not None else jnp.ones((c,))
        b = self.bias.value if self.bias is not None else jnp.zeros((c,))
        if x._b or s._b:
            dims = tuple(i for i in range(len(x.shape)) if i != at)
            return (x - x.mean(dims, keepdims=True)) * lax.rsqrt(
                x.var(dims, keepdims=True) + self.epsilon) * s + b
        return _c.new(_t.op("tw.batch_norm", [x._h, s._h, b._h, self.mean.value._h,
                                              self.var.value._h], {
            "feature_dim": at, "epsilon": float(self.epsilon), "momentum": float(self.momentum),
            "training": not use}))


class LayerNorm(Module):
    def __init__(self, num_features, *, epsilon=1e-6, dtype=None, param_dtype=F32, use_bias=True,
                 use_scale=True, bias_init=zeros, scale_init=ones, reduction_axes=-1,
                 feature_axes=-1, axis_name=None, axis_index_groups=None,
                 use_fast_variance=True, promote_dtype=None, rngs=None, **kw):
        shape = (num_features,)
        self.scale = Param(scale_init(_key(rngs), shape, param_dtype)) if use_scale else None
        self.bias = Param(bias_init(_key(rngs), shape, param_dtype)) if use_bias else None
        self.epsilon = epsilon
        self.dtype = dtype
        self.axes = (_l._list(reduction_axes, 1), _l._list(feature_axes, 1))

    def __call__(self, x, *, mask=None):
        x = as_array(x)
        if _t.is_unknown(x):
            return x
        n = len(x.shape)
        s, b = _value(self.scale), _value(self.bias)
        return _l.layer_norm(x, s, b, [a % n for a in self.axes[0]],
                             [a % n for a in self.axes[1]], self.epsilon,
                             _l._result_type(x, s, b, self.dtype))


class RMSNorm(Module):
    def __init__(self, num_features, *, epsilon=1e-6, dtype=None, param_dtype=F32, use_scale=True,
                 scale_init=ones, reduction_axes=-1, feature_axes=-1, axis_name=None,
                 axis_index_groups=None, use_fast_variance=True, promote_dtype=None, rngs=None,
                 **kw):
        self.scale = Param(scale_init(_key(rngs), (num_features,), param_dtype)) \
            if use_scale else None
        self.epsilon = epsilon
        self.dtype = dtype

    def __call__(self, x, mask=None):
        x = as_array(x)
        n = len(x.shape)
        s = _value(self.scale)
        return _l.rms_norm(x, s, [n - 1], [n - 1], self.epsilon,
                           _l._result_type(x, s, None, self.dtype))


class GroupNorm(Module):
    def __init__(self, num_features, num_groups=32, group_size=None, *, epsilon=1e-6, dtype=None,
                 param_dtype=F32, use_bias=True, use_scale=True, bias_init=zeros,
                 scale_init=ones, rngs=None, **kw):
        shape = (num_features,)
        self.groups = num_groups if group_size is None else num_features // group_size
        self.scale = Param(scale_init(_key(rngs), shape, param_dtype)) if use_scale else None
        self.bias = Param(bias_init(_key(rngs), shape, param_dtype)) if use_bias else None
        self.epsilon = epsilon
        self.dtype = dtype

    def __call__(self, x, mask=None):
        x = as_array(x)
        s, b = _value(self.scale), _value(self.bias)
        return _l.group_norm(x, s, b, self.groups, self.epsilon,
                             _l._result_type(x, s, b, self.dtype), features_together=True)


class Dropout(Module):
    def __init__(self, rate, *, broadcast_dims=(), deterministic=False, rng_collection="dropout",
                 rngs=None, **kw):
        self.rate = rate
        self.broadcast_dims = broadcast_dims
        self.deterministic = deterministic

    def __call__(self, inputs, *, deterministic=None, rngs=None):
        off = self.deterministic if deterministic is None else deterministic
        if self.rate == 0 or off:
            return inputs
        return _l.dropout(inputs, self.rate, self.broadcast_dims)


class MultiHeadAttention(Module):
    def __init__(self, num_heads, in_features, qkv_features=None, out_features=None, *,
                 in_kv_features=None, dtype=None, param_dtype=F32, broadcast_dropout=True,
                 dropout_rate=0.0, deterministic=None, precision=None, kernel_init=lecun,
                 out_kernel_init=None, bias_init=zeros, out_bias_init=None, use_bias=True,
                 attention_fn=_l.dot_product_attention, decode=None, normalize_qk=False,
                 qkv_dot_general=None, out_dot_general=None, rngs=None, keep_rngs=True, **kw):
        qkv = qkv_features or in_features
        kv = in_kv_features or in_features
        out = out_features or in_features
        self.num_heads = num_heads
        self.head_dim = qkv // num_heads
        self.dropout_rate = dropout_rate
        self.deterministic = deterministic
        self.broadcast_dropout = broadcast_dropout
        self.attention_fn = attention_fn
        self.dtype = dtype
        self.decode = decode
        heads = (num_heads, self.head_dim)
        common = dict(dtype=dtype, param_dtype=param_dtype, use_bias=use_bias, rngs=rngs,
                      kernel_init=kernel_init, bias_init=bias_init)
        self.query = LinearGeneral(in_features, heads, **common)
        self.key = LinearGeneral(kv, heads, **common)
        self.value = LinearGeneral(kv, heads, **common)
        self.query_ln = LayerNorm(self.head_dim, use_bias=False, rngs=rngs) \
            if normalize_qk else None
        self.key_ln = LayerNorm(self.head_dim, use_bias=False, rngs=rngs) if normalize_qk else None
        self.out = LinearGeneral(heads, out, axis=(-2, -1), **common)

    def __call__(self, inputs_q, inputs_k=None, inputs_v=None, *, mask=None, deterministic=None,
                 rngs=None, sow_weights=False, decode=None, is_causal=False, **kw):
        if is_causal and mask is None:
            mask = _l.make_causal_mask(_c.full(0, inputs_q.shape[:-1], F32))
        k_in = inputs_q if inputs_k is None else inputs_k
        v_in = k_in if inputs_v is None else inputs_v
        q, k, v = self.query(inputs_q), self.key(k_in), self.value(v_in)
        if self.query_ln is not None:
            q, k = self.query_ln(q), self.key_ln(k)
        off = self.deterministic if deterministic is None else deterministic
        x = self.attention_fn(q, k, v, mask=mask, dropout_rate=self.dropout_rate,
                              deterministic=bool(off), broadcast_dropout=self.broadcast_dropout,
                              dtype=self.dtype)
        return self.out(x)

    def init_cache(self, input_shape, dtype=F32):
        shape = tuple(input_shape[:-1]) + (self.num_heads, self.head_dim)
        self.cached_key = Cache(jnp.zeros(shape, dtype))
        self.cached_value = Cache(jnp.zeros(shape, dtype))
        self.cache_index = Cache(jnp.array(0, jnp.int32))


class Sequential(Module):
    def __init__(self, *layers):
        self.layers = list(layers)

    def __call__(self, *args, **kw):
        out = args
        for i, f in enumerate(self.layers):
            if i == 0:
                out = f(*args, **kw)
            else:
                out = f(*out) if isinstance(out, tuple) else f(out)
        return out


class List(Module):
    def __init__(self, items=()):
        for i, v in enumerate(items):
            self.__dict__[str(i)] = v

    def __iter__(self):
        return iter([self.__dict__[k] for k in list(self.__dict__)])

    def __len__(self):
        return len(self.__dict__)

    def __getitem__(self, i):
        items = list(self.__dict__.values())
        return items[i]

    def append(self, v):
        self.__dict__[str(len(self.__dict__))] = v


class Dict(Module):
    def __init__(self, *args, **kw):
        self.__dict__.update(*args, **kw)

    def __getitem__(self, k):
        return self.__dict__[k]

    def __setitem__(self, k, v):
        self.__dict__[k] = v

    def __iter__(self):
        return iter(list(self.__dict__))

    def __len__(self):
        return len(self.__dict__)

    def items(self):
        return list(self.__dict__.items())

    def keys(self):
        return list(self.__dict__)

    def values(self):
        return list(self.__dict__.values())


class LSTMCell(Module):
    def __init__(self, in_features, hidden_features, *, gate_fn=_nn.sigmoid,
                 activation_fn=_nn.tanh, rngs=None, **kw):
        self.hidden_features = hidden_features
        self.gate_fn = gate_fn
        self.activation_fn = activation_fn
        for g in "ifgo":
            setattr(self, "i" + g, Linear(in_features, hidden_features, use_bias=False,
                                          rngs=rngs))
            setattr(self, "h" + g, Linear(hidden_features, hidden_features, rngs=rngs))

    def __call__(self, carry, inputs):
        c, h = carry
        own = self.__dict__
        i, f, g, o = [own["i" + n](inputs) + own["h" + n](h) for n in "ifgo"]
        c = self.gate_fn(f) * c + self.gate_fn(i) * self.activation_fn(g)
        h = self.gate_fn(o) * self.activation_fn(c)
        return (c, h), h

    def initialize_carry(self, input_shape, rngs=None, **kw):
        z = jnp.zeros(tuple(input_shape[:-1]) + (self.hidden_features,))
        return z, z


OptimizedLSTMCell = LSTMCell


class GRUCell(Module):
    def __init__(self, in_features, hidden_features, *, rngs=None, **kw):
        self.hidden_features = hidden_features
        self.dense_i = Linear(in_features, 3 * hidden_features, rngs=rngs)
        self.dense_h = Linear(hidden_features, 3 * hidden_features, use_bias=False, rngs=rngs)

    def __call__(self, carry, inputs):
        xr, xz, xn = jnp.split(self.dense_i(inputs), 3, -1)
        hr, hz, hn = jnp.split(self.dense_h(carry), 3, -1)
        r, z = _nn.sigmoid(xr + hr), _nn.sigmoid(xz + hz)
        h = (1.0 - z) * jnp.tanh(xn + r * hn) + z * carry
        return h, h

    def initialize_carry(self, input_shape, rngs=None, **kw):
        return jnp.zeros(tuple(input_shape[:-1]) + (self.hidden_features,))


class SimpleCell(Module):
    def __init__(self, in_features, hidden_features, *, activation_fn=_nn.tanh, rngs=None, **kw):
        self.hidden_features = hidden_features
        self.activation_fn = activation_fn
        self.dense_i = Linear(in_features, hidden_features, rngs=rngs)
        self.dense_h = Linear(hidden_features, hidden_features, use_bias=False, rngs=rngs)

    def __call__(self, carry, inputs):
        h = self.activation_fn(self.dense_i(inputs) + self.dense_h(carry))
        return h, h

    initialize_carry = GRUCell.initialize_carry


class RNN(Module):
    def __init__(self, cell, time_major=False, return_carry=False, reverse=False,
                 keep_order=False, **kw):
        self.cell = cell
        self.time_major = time_major
        self.return_carry = return_carry
        self.reverse = reverse

    def __call__(self, inputs, *, initial_carry=None, **kw):
        x = as_array(inputs)
        axis = 0 if self.time_major else len(x.shape) - 2
        shape = list(x.shape)
        del shape[axis]
        carry = self.cell.initialize_carry(tuple(shape)) if initial_carry is None \
            else initial_carry
        carry, y = lax.scan(lambda c, v: self.cell(c, v), carry, _c.moveaxis(x, axis, 0),
                            reverse=self.reverse)
        y = _c.moveaxis(y, 0, axis)
        return (carry, y) if self.return_carry else y


class LoRA(Module):
    def __init__(self, in_features, lora_rank, out_features, *, base_module=None, dtype=None,
                 param_dtype=F32, rngs=None, **kw):
        self.lora_a = Param(lecun(_key(rngs), (in_features, lora_rank), param_dtype))
        self.lora_b = Param(zeros(_key(rngs), (lora_rank, out_features), param_dtype))
        self.base_module = base_module

    def __call__(self, x):
        y = _c.matmul(_c.matmul(x, self.lora_a.value), self.lora_b.value)
        return y if self.base_module is None else y + self.base_module(x)


class LoRALinear(Linear):
    def __init__(self, in_features, out_features, *, lora_rank, rngs=None, **kw):
        super().__init__(in_features, out_features, rngs=rngs)
        self.lora = LoRA(in_features, lora_rank, out_features, rngs=rngs)

    def __call__(self, x):
        return super().__call__(x) + self.lora(x)


class Optimizer(Module):
    def __init__(self, model, tx, wrt=Param):
        note_model(model)
        self.step = OptState(_c.known(0, _c.uint32))
        self.model = model
        self.tx = tx
        self.wrt = wrt
        self.opt_state = tx.init(state(model, wrt))

    def update(self, model_or_grads, grads=None, **kw):
        if grads is None:
            grads = model_or_grads
            model = self.model
        else:
            model = model_or_grads
        _, self.opt_state = self.tx.update(grads, self.opt_state, state(model, self.wrt), **kw)
        self.step.value = self.step.value + 1


ModelAndOptimizer = Optimizer


class TrainState:
    def __class_getitem__(cls, item):
        return cls

    def __init__(self, graphdef, params, opt_state, step, tx):
        self.graphdef = graphdef
        self.params = params
        self.opt_state = opt_state
        self.step = step
        self.tx = tx

    @classmethod
    def create(cls, graphdef, *, params, tx, step=0, **kw):
        return cls(graphdef, params, tx.init(params), step, tx)

    def apply_gradients(self, grads, **kw):
        _, s = self.tx.update(grads, self.opt_state, self.params)
        return TrainState(self.graphdef, self.params, s, self.step + 1, self.tx)
