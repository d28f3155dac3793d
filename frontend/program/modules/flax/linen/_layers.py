"""The layers of flax.linen."""

import functools
import math
from typing import Any

import _tilewise as _t
from jax import _core as _c
from jax import _tree
from jax import lax
from jax import nn as _nn
from jax import numpy as jnp
from jax import random
from jax._core import Array, as_array, binary
from jax.nn import initializers
from flax.linen import _lift
from flax.linen._module import Module, compact, merge_param

F32 = _c.float32
lecun = initializers.lecun_normal()
zeros = initializers.zeros_init()
ones = initializers.ones_init()


def promote(xs, d):
    """All of `xs` (None stays) in type `d`, or in the type that they give together."""
    if d is None:
        for x in xs:
            if x is not None:
                d = x.dtype if d is None else _c.promote(d, x.dtype)
        if not _c.is_float(d) and d.kind != "c":
            d = F32
    else:
        d = _c.dtype(d)
    return [None if x is None else (x if x.dtype is d else _c.convert(x, d)) for x in xs]


def promote_dtype(*xs, dtype=None, inexact=True):
    return promote([None if x is None else as_array(x) for x in xs], dtype)


def _list(v, n):
    return [v] * n if isinstance(v, int) or v is None else list(v)


class Identity(Module):
    def __call__(self, x):
        return x


class Dense(Module):
    features: int
    use_bias: bool = True
    dtype: Any = None
    param_dtype: Any = F32
    precision: Any = None
    kernel_init: Any = lecun
    bias_init: Any = zeros
    promote_dtype: Any = None
    dot_general: Any = None
    dot_general_cls: Any = None

    @compact
    def __call__(self, inputs):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        n = x.shape[-1]
        kernel = self.param("kernel", self.kernel_init, (n, self.features), self.param_dtype)
        bias = self.param("bias", self.bias_init, (self.features,), self.param_dtype) \
            if self.use_bias else None
        x, kernel, bias = promote([x, kernel, bias], self.dtype)
        y = _c.dot_general(x, kernel, [len(x.shape) - 1], [0])
        return y if bias is None else binary("add", y, bias)


class DenseGeneral(Module):
    features: Any
    axis: Any = -1
    batch_dims: Any = ()
    use_bias: bool = True
    dtype: Any = None
    param_dtype: Any = F32
    kernel_init: Any = lecun
    bias_init: Any = zeros
    precision: Any = None
    promote_dtype: Any = None
    dot_general: Any = None
    dot_general_cls: Any = None

    @compact
    def __call__(self, inputs):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        features = _list(self.features, 1)
        n = len(x.shape)
        axes = [a % n for a in _list(self.axis, 1)]
        batch = [a % n for a in _list(self.batch_dims, 1)] if self.batch_dims != () else []
        batch_shape = [x.shape[a] for a in batch]
        shape = batch_shape + [x.shape[a] for a in axes] + features
        kernel = self.param("kernel", self.kernel_init, tuple(shape), self.param_dtype)
        bias = self.param("bias", self.bias_init, tuple(batch_shape + features),
                          self.param_dtype) if self.use_bias else None
        x, kernel, bias = promote([x, kernel, bias], self.dtype)
        k = len(batch)
        y = _c.dot_general(x, kernel, axes, list(range(k, k + len(axes))), batch, list(range(k)))
        if bias is None:
            return y
        if batch:
            free = n - len(axes) - k
            bias = _c.reshape(bias, batch_shape + [1] * free + features)
        return binary("add", y, bias)


class Einsum(Module):
    shape: Any
    einsum_str: Any = None
    use_bias: bool = True
    dtype: Any = None
    param_dtype: Any = F32
    precision: Any = None
    kernel_init: Any = lecun
    bias_init: Any = zeros
    promote_dtype: Any = None
    preferred_element_type: Any = None

    @compact
    def __call__(self, inputs, einsum_str=None):
        equation = merge_param("einsum_str", self.einsum_str, einsum_str).replace(" ", "")
        kernel = self.param("kernel", self.kernel_init, self.shape, self.param_dtype)
        left, out = equation.split("->")
        right = left.split(",")[1]
        bias = None
        if self.use_bias:
            kept = [c for c in right if c in out]
            shape = [self.shape[right.index(c)] for c in kept]
            bias = self.param("bias", self.bias_init, tuple(shape), self.param_dtype)
        x, kernel, bias = promote([as_array(inputs), kernel, bias], self.dtype)
        y = jnp.einsum(equation, x, kernel)
        if bias is None:
            return y
        tail = out.replace("...", "")
        wide = [self.shape[right.index(c)] if c in right else 1 for c in tail]
        return y + _c.reshape(bias, wide)


class Conv(Module):
    features: int
    kernel_size: Any
    strides: Any = 1
    padding: Any = "SAME"
    input_dilation: Any = 1
    kernel_dilation: Any = 1
    feature_group_count: int = 1
    use_bias: bool = True
    mask: Any = None
    dtype: Any = None
    param_dtype: Any = F32
    precision: Any = None
    kernel_init: Any = lecun
    bias_init: Any = zeros
    promote_dtype: Any = None
    conv_general_dilated: Any = None
    conv_general_dilated_cls: Any = None

    @compact
    def __call__(self, inputs):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        size = [self.kernel_size] if isinstance(self.kernel_size, int) else list(self.kernel_size)
        n = len(size)
        strides = _ones(self.strides, n)
        low_dilation = _ones(self.input_dilation, n)
        dilation = _ones(self.kernel_dilation, n)
        lead = x.shape[:len(x.shape) - n - 1]
        if len(lead) != 1:
            x = _c.reshape(x, [math.prod(lead)] + list(x.shape[len(lead):]))
        channels = x.shape[-1]
        shape = size + [channels // self.feature_group_count, self.features]
        kernel = self.param("kernel", self.kernel_init, tuple(shape), self.param_dtype)
        if self.mask is not None:
            kernel = kernel * self.mask
        bias = self.param("bias", self.bias_init, (self.features,), self.param_dtype) \
            if self.use_bias else None
        x, kernel, bias = promote([x, kernel, bias], self.dtype)
        padding = self.padding
        if padding in ("CIRCULAR", "REFLECT", "CAUSAL"):
            spans = [(k - 1) * d for k, d in zip(size, dilation)]
            if padding == "CAUSAL":
                x = jnp.pad(x, [(0, 0), (spans[0], 0), (0, 0)])
            else:
                x = jnp.pad(x, [(0, 0)] + [(s // 2, s - s // 2) for s in spans] + [(0, 0)],
                            mode="wrap" if padding == "CIRCULAR" else "reflect")
            padding = "VALID"
        y = _c.conv(x, kernel, strides, padding, low_dilation, dilation, self.feature_group_count)
        if bias is not None:
            y = binary("add", y, bias)
        if len(lead) != 1:
            y = _c.reshape(y, list(lead) + list(y.shape[1:]))
        return y


def _ones(v, n):
    return [1] * n if v is None else ([v] * n if isinstance(v, int) else list(v))


class ConvLocal(Module):
    features: int
    kernel_size: Any
    strides: Any = 1
    padding: Any = "SAME"
    input_dilation: Any = 1
    kernel_dilation: Any = 1
    feature_group_count: int = 1
    use_bias: bool = True
    mask: Any = None
    dtype: Any = None
    param_dtype: Any = F32
    precision: Any = None
    kernel_init: Any = lecun
    bias_init: Any = zeros

    @compact
    def __call__(self, inputs):
        x = as_array(inputs)
        size = [self.kernel_size] if isinstance(self.kernel_size, int) else list(self.kernel_size)
        n = len(size)
        names = "DHW"[3 - n:]
        spec = ("N" + names + "C", names + "IO", "N" + names + "C")
        patches = lax.conv_general_dilated_patches(x, size, _ones(self.strides, n), self.padding,
                                                   None, _ones(self.kernel_dilation, n), spec)
        out = list(patches.shape[1:-1])
        kernel = self.param("kernel", self.kernel_init,
                            tuple(out + [patches.shape[-1], self.features]), self.param_dtype)
        bias = self.param("bias", self.bias_init, tuple(out + [self.features]),
                          self.param_dtype) if self.use_bias else None
        patches, kernel, bias = promote([patches, kernel, bias], self.dtype)
        k = len(out)
        y = _c.dot_general(patches, kernel, [k + 1], [k], list(range(1, k + 1)), list(range(k)))
        y = _c.moveaxis(y, k, 0)
        return y if bias is None else binary("add", y, bias)


class ConvTranspose(Module):
    features: int
    kernel_size: Any
    strides: Any = None
    padding: Any = "SAME"
    kernel_dilation: Any = None
    use_bias: bool = True
    mask: Any = None
    dtype: Any = None
    param_dtype: Any = F32
    precision: Any = None
    kernel_init: Any = lecun
    bias_init: Any = zeros
    transpose_kernel: bool = False
    promote_dtype: Any = None
    preferred_element_type: Any = None

    @compact
    def __call__(self, inputs):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        size = [self.kernel_size] if isinstance(self.kernel_size, int) else list(self.kernel_size)
        n = len(size)
        strides = _ones(self.strides, n)
        lead = x.shape[:len(x.shape) - n - 1]
        if len(lead) != 1:
            x = _c.reshape(x, [math.prod(lead)] + list(x.shape[len(lead):]))
        channels = x.shape[-1]
        ends = [self.features, channels] if self.transpose_kernel else [channels, self.features]
        kernel = self.param("kernel", self.kernel_init, tuple(size + ends), self.param_dtype)
        bias = self.param("bias", self.bias_init, (self.features,), self.param_dtype) \
            if self.use_bias else None
        x, kernel, bias = promote([x, kernel, bias], self.dtype)
        padding = "VALID" if self.padding == "CIRCULAR" else self.padding
        if isinstance(padding, int):
            padding = [(padding, padding)] * n
        y = lax.conv_transpose(x, kernel, strides, padding, _ones(self.kernel_dilation, n),
                               transpose_kernel=self.transpose_kernel)
        if bias is not None:
            y = binary("add", y, bias)
        if len(lead) != 1:
            y = _c.reshape(y, list(lead) + list(y.shape[1:]))
        return y


class Embed(Module):
    num_embeddings: int
    features: int
    dtype: Any = None
    param_dtype: Any = F32
    embedding_init: Any = initializers.normal()
    promote_dtype: Any = None

    def setup(self):
        self.embedding = self.param("embedding", self.embedding_init,
                                    (self.num_embeddings, self.features), self.param_dtype)

    def __call__(self, inputs):
        x = as_array(inputs)
        table = self.embedding
        if self.dtype is not None:
            table = _c.convert(table, self.dtype)
        return _c.take(table, x, 0)

    def attend(self, query):
        query, table = promote([as_array(query), self.embedding], self.dtype)
        return _c.dot_general(query, table, [len(query.shape) - 1], [1])


def _feature_shape(x, axes):
    n = len(x.shape)
    return [x.shape[a] if a in axes else 1 for a in range(n)]


class BatchNorm(Module):
    use_running_average: Any = None
    axis: Any = -1
    momentum: float = 0.99
    epsilon: float = 1e-5
    dtype: Any = None
    param_dtype: Any = F32
    use_bias: bool = True
    use_scale: bool = True
    bias_init: Any = zeros
    scale_init: Any = ones
    axis_name: Any = None
    axis_index_groups: Any = None
    use_fast_variance: bool = True
    force_float32_reductions: bool = True

    @compact
    def __call__(self, x, use_running_average=None, *, mask=None):
        use = merge_param("use_running_average", self.use_running_average, use_running_average)
        x = as_array(x)
        if _t.is_unknown(x):
            return x
        n = len(x.shape)
        axes = [a % n for a in _list(self.axis, 1)]
        shape = tuple(x.shape[a] for a in axes)
        mean = self.variable("batch_stats", "mean", jnp.zeros, shape, F32)
        var = self.variable("batch_stats", "var", jnp.ones, shape, F32)
        scale = self.param("scale", self.scale_init, shape, self.param_dtype) \
            if self.use_scale else None
        bias = self.param("bias", self.bias_init, shape, self.param_dtype) \
            if self.use_bias else None
        d = _c.dtype(self.dtype) if self.dtype is not None else _c.promote(x.dtype, F32) \
            if scale is not None or bias is not None else x.dtype
        training = not use
        levels = _c.common_levels([x])
        if len(axes) == 1 and not levels and not (scale is not None and scale._b):
            if x.dtype is not d:
                x = _c.convert(x, d)
            m, v = mean.value, var.value
            h = _t.op("tw.batch_norm", [x._h, _handle(scale), _handle(bias), m._h, v._h], {
                "feature_dim": axes[0], "epsilon": float(self.epsilon),
                "momentum": float(self.momentum), "training": bool(training)})
            y = _c.new(h)
            if training and not self.is_initializing():
                mean.value = m
                var.value = v
            return y
        others = tuple(a for a in range(n) if a not in axes)
        wide = _feature_shape(x, axes)
        z = _c.convert(x, F32)
        if training:
            m = _c.reduce("mean", z, others, True)
            v = _c.reduce("variance", z, others, True)
        else:
            m = _c.reshape(mean.value, wide)
            v = _c.reshape(var.value, wide)
        y = binary("multiply", binary("subtract", z, m),
                   _c.unary("rsqrt", binary("add", v, self.epsilon)))
        if scale is not None:
            y = binary("multiply", y, _c.reshape(scale, wide))
        if bias is not None:
            y = binary("add", y, _c.reshape(bias, wide))
        return _c.convert(y, d)


class LayerNorm(Module):
    epsilon: float = 1e-6
    dtype: Any = None
    param_dtype: Any = F32
    use_bias: bool = True
    use_scale: bool = True
    bias_init: Any = zeros
    scale_init: Any = ones
    reduction_axes: Any = -1
    feature_axes: Any = -1
    axis_name: Any = None
    axis_index_groups: Any = None
    use_fast_variance: bool = True
    force_float32_reductions: bool = True

    @compact
    def __call__(self, x, *, mask=None):
        x = as_array(x)
        if _t.is_unknown(x):
            return x
        n = len(x.shape)
        axes = [a % n for a in _list(self.reduction_axes, 1)]
        features = [a % n for a in _list(self.feature_axes, 1)]
        shape = tuple(x.shape[a] for a in features)
        scale = self.param("scale", self.scale_init, shape, self.param_dtype) \
            if self.use_scale else None
        bias = self.param("bias", self.bias_init, shape, self.param_dtype) \
            if self.use_bias else None
        d = _result_type(x, scale, bias, self.dtype)
        return layer_norm(x, scale, bias, axes, features, self.epsilon, d)


def _result_type(x, scale, bias, d):
    if d is not None:
        return _c.dtype(d)
    d = x.dtype
    for p in (scale, bias):
        if p is not None:
            d = _c.promote(d, p.dtype)
    return d


def _handle(x, d=None):
    if x is None:
        return None
    return x._h if d is None else _c.convert(x, d)._h


def layer_norm(x, scale, bias, axes, features, epsilon, d):
    if x.dtype is not d:
        x = _c.convert(x, d)
    mapped = x._b or scale is not None and scale._b or bias is not None and bias._b
    if axes == features and not mapped:
        return _c.new(_t.op("tw.layer_norm", [x._h, _handle(scale, d), _handle(bias, d)],
                            {"dims": axes, "epsilon": float(epsilon)}))
    z = _c.convert(x, F32)
    m = _c.reduce("mean", z, tuple(axes), True)
    v = _c.reduce("variance", z, tuple(axes), True)
    y = binary("multiply", binary("subtract", z, m), _c.unary("rsqrt", binary("add", v, epsilon)))
    wide = _feature_shape(x, features)
    if scale is not None:
        y = binary("multiply", y, _c.reshape(scale, wide))
    if bias is not None:
        y = binary("add", y, _c.reshape(bias, wide))
    return _c.convert(y, d)


class RMSNorm(Module):
    epsilon: float = 1e-6
    dtype: Any = None
    param_dtype: Any = F32
    use_scale: bool = True
    scale_init: Any = ones
    reduction_axes: Any = -1
    feature_axes: Any = -1
    axis_name: Any = None
    axis_index_groups: Any = None
    use_fast_variance: bool = True
    force_float32_reductions: bool = True

    @compact
    def __call__(self, x, *, mask=None):
        x = as_array(x)
        if _t.is_unknown(x):
            return x
        n = len(x.shape)
        axes = [a % n for a in _list(self.reduction_axes, 1)]
        features = [a % n for a in _list(self.feature_axes, 1)]
        scale = self.param("scale", self.scale_init, tuple(x.shape[a] for a in features),
                           self.param_dtype) if self.use_scale else None
        return rms_norm(x, scale, axes, features, self.epsilon,
                        _result_type(x, scale, None, self.dtype))


def rms_norm(x, scale, axes, features, epsilon, d):
    x = _c.convert(x, d)
    if axes == features and not x._b and not (scale is not None and scale._b):
        return _c.new(_t.op("tw.rms_norm", [x._h, _handle(scale, d)],
                            {"dims": axes, "epsilon": float(epsilon)}))
    z = _c.convert(x, F32)
    v = _c.reduce("mean", binary("multiply", z, z), tuple(axes), True)
    y = binary("multiply", z, _c.unary("rsqrt", binary("add", v, epsilon)))
    if scale is not None:
        y = binary("multiply", y, _c.reshape(scale, _feature_shape(x, features)))
    return _c.convert(y, d)


class GroupNorm(Module):
    num_groups: Any = 32
    group_size: Any = None
    epsilon: float = 1e-6
    dtype: Any = None
    param_dtype: Any = F32
    use_bias: bool = True
    use_scale: bool = True
    bias_init: Any = zeros
    scale_init: Any = ones
    reduction_axes: Any = None
    axis_name: Any = None
    axis_index_groups: Any = None
    use_fast_variance: bool = True
    force_float32_reductions: bool = True

    @compact
    def __call__(self, x, *, mask=None):
        x = as_array(x)
        if _t.is_unknown(x):
            return x
        c = x.shape[-1]
        groups = self.num_groups if self.group_size is None else c // self.group_size
        scale = self.param("scale", self.scale_init, (c,), self.param_dtype) \
            if self.use_scale else None
        bias = self.param("bias", self.bias_init, (c,), self.param_dtype) \
            if self.use_bias else None
        d = _result_type(x, scale, bias, self.dtype)
        return group_norm(x, scale, bias, groups, self.epsilon, d, features_together=True)


def group_norm(x, scale, bias, groups, epsilon, d, features_together=False):
    x = _c.convert(x, d)
    c = x.shape[-1]
    if not x._b and not (scale is not None and scale._b):
        return _c.new(_t.op("tw.group_norm", [x._h, _handle(scale, d), _handle(bias, d)],
                            {"groups": int(groups), "epsilon": float(epsilon),
                             "feature_dim": len(x.shape) - 1,
                             "features_together": features_together}))
    z = _c.reshape(x, list(x.shape[:-1]) + [groups, c // groups])
    axes = list(range(1, len(x.shape) - 1)) + [len(x.shape)]
    z = _c.reshape(layer_norm(z, None, None, axes, [], epsilon, d), x.shape)
    if scale is not None:
        z = binary("multiply", z, scale)
    return z if bias is None else binary("add", z, bias)


class InstanceNorm(Module):
    epsilon: float = 1e-6
    dtype: Any = None
    param_dtype: Any = F32
    use_bias: bool = True
    use_scale: bool = True
    bias_init: Any = zeros
    scale_init: Any = ones
    feature_axes: Any = -1

    @compact
    def __call__(self, x, *, mask=None):
        x = as_array(x)
        c = x.shape[-1]
        scale = self.param("scale", self.scale_init, (c,), self.param_dtype) \
            if self.use_scale else None
        bias = self.param("bias", self.bias_init, (c,), self.param_dtype) \
            if self.use_bias else None
        return group_norm(x, scale, bias, c, self.epsilon,
                          _result_type(x, scale, bias, self.dtype))


class SpectralNorm(Module):
    layer_instance: Any
    n_steps: int = 1
    epsilon: float = 1e-12
    dtype: Any = None
    param_dtype: Any = F32
    error_on_non_matrix: bool = False
    collection_name: str = "batch_stats"

    @compact
    def __call__(self, *args, update_stats=False, **kw):
        return self.layer_instance(*args, **kw)


class WeightNorm(Module):
    layer_instance: Any
    epsilon: float = 1e-12
    dtype: Any = None
    param_dtype: Any = F32
    use_scale: bool = True
    scale_init: Any = ones
    feature_axes: Any = -1
    variable_filter: Any = None

    @compact
    def __call__(self, *args, **kw):
        return self.layer_instance(*args, **kw)


class Dropout(Module):
    rate: float
    broadcast_dims: Any = ()
    deterministic: Any = None
    rng_collection: str = "dropout"

    @compact
    def __call__(self, inputs, deterministic=None, rng=None):
        if self.rate == 0 or self.rate == 0.0:
            return inputs
        off = merge_param("deterministic", self.deterministic, deterministic)
        if off:
            return inputs
        return dropout(inputs, self.rate, self.broadcast_dims)


def dropout(x, rate, broadcast_dims=()):
    if rate == 1 or rate == 1.0:
        return jnp.zeros_like(x)
    x = as_array(x)
    if _t.is_unknown(x):
        return x
    if not isinstance(rate, (int, float)):
        rate = _c.number_or(as_array(rate), 0.5)
    attrs = {"rate": float(rate)}
    if broadcast_dims:
        k = len(x._b)
        attrs["shared"] = [k + d % len(x.shape) for d in broadcast_dims]
    return _c.new(_t.op("tw.dropout", [x._h], attrs), x._b)


# Attention.

def _dropped(weights, rate, deterministic, broadcast):
    if rate <= 0.0 or deterministic:
        return weights
    if broadcast:
        return dropout(weights, rate, tuple(range(len(weights.shape) - 2)))
    return dropout(weights, rate)


def dot_product_attention_weights(query, key, bias=None, mask=None, broadcast_dropout=True,
                                  dropout_rng=None, dropout_rate=0.0, deterministic=False,
                                  dtype=None, precision=None, module=None,
                                  force_fp32_for_softmax=False, **kw):
    q, k = promote([as_array(query), as_array(key)], dtype)
    q = binary("divide", q, math.sqrt(q.shape[-1]))
    w = jnp.einsum("...qhd,...khd->...hqk", q, k)
    if bias is not None:
        w = binary("add", w, bias)
    if mask is not None:
        w = _c.select(mask, w, float(jnp.finfo(w.dtype).min))
    d = w.dtype
    if force_fp32_for_softmax and d is not F32:
        w = _c.convert(_c.softmax(_c.convert(w, F32)), d)
    else:
        w = _c.softmax(w)
    if module is not None:
        module.sow("intermediates", "attention_weights", w)
    return _dropped(w, dropout_rate, deterministic, broadcast_dropout)


def dot_product_attention(query, key, value, bias=None, mask=None, broadcast_dropout=True,
                          dropout_rng=None, dropout_rate=0.0, deterministic=False, dtype=None,
                          precision=None, module=None, force_fp32_for_softmax=False,
                          qk_attn_weights_einsum=None, attn_weights_value_einsum=None, **kw):
    q, k, v = [as_array(x) for x in (query, key, value)]
    for x in (q, k, v):
        if _t.is_unknown(x):
            return x
    q, k, v = promote([q, k, v], dtype)
    if k.shape[-2] != q.shape[-2]:
        n = q.shape[-2] // k.shape[-2]
        k = jnp.repeat(k, n, -2)
        v = jnp.repeat(v, n, -2)
    w = dot_product_attention_weights(q, k, bias, mask, broadcast_dropout, dropout_rng,
                                      dropout_rate, deterministic, dtype, precision, module,
                                      force_fp32_for_softmax)
    return jnp.einsum("...hqk,...khd->...qhd", w, v)


class MultiHeadDotProductAttention(Module):
    num_heads: int
    dtype: Any = None
    param_dtype: Any = F32
    qkv_features: Any = None
    out_features: Any = None
    broadcast_dropout: bool = True
    dropout_rate: float = 0.0
    deterministic: Any = None
    precision: Any = None
    kernel_init: Any = lecun
    out_kernel_init: Any = None
    bias_init: Any = zeros
    out_bias_init: Any = None
    use_bias: bool = True
    attention_fn: Any = dot_product_attention
    decode: bool = False
    normalize_qk: bool = False
    force_fp32_for_softmax: bool = False
    qkv_dot_general: Any = None
    out_dot_general: Any = None
    qkv_dot_general_cls: Any = None
    out_dot_general_cls: Any = None
    qk_attn_weights_einsum_cls: Any = None
    attn_weights_value_einsum_cls: Any = None

    @compact
    def __call__(self, inputs_q, inputs_k=None, inputs_v=None, *, inputs_kv=None, mask=None,
                 deterministic=None, dropout_rng=None, sow_weights=False):
        if inputs_kv is not None:
            inputs_k = inputs_v = inputs_kv
        if inputs_k is None:
            inputs_k = inputs_q
        if inputs_v is None:
            inputs_v = inputs_k
        inputs_q = as_array(inputs_q)
        if _t.is_unknown(inputs_q):
            return inputs_q
        features = self.out_features or inputs_q.shape[-1]
        qkv = self.qkv_features or inputs_q.shape[-1]
        if qkv % self.num_heads:
            raise ValueError("qkv_features must be a multiple of num_heads")
        dense = functools.partial(
            DenseGeneral, axis=-1, dtype=self.dtype, param_dtype=self.param_dtype,
            features=(self.num_heads, qkv // self.num_heads), kernel_init=self.kernel_init,
            bias_init=self.bias_init, use_bias=self.use_bias)
        q = dense(name="query")(inputs_q)
        k = dense(name="key")(inputs_k)
        v = dense(name="value")(inputs_v)
        if self.normalize_qk:
            q = LayerNorm(name="query_ln", use_bias=False, dtype=self.dtype)(q)
            k = LayerNorm(name="key_ln", use_bias=False, dtype=self.dtype)(k)
        if self.decode:
            was = self.has_variable("cache", "cached_key")
            ck = self.variable("cache", "cached_key", jnp.zeros, k.shape, k.dtype)
            cv = self.variable("cache", "cached_value", jnp.zeros, v.shape, v.dtype)
            ci = self.variable("cache", "cache_index", lambda: jnp.array(0, dtype=jnp.int32))
            if was:
                n = ck.value.shape[-3]
                at = [0] * len(k.shape)
                at[-3] = ci.value
                k = _c.dynamic_update_slice(ck.value, k, at)
                v = _c.dynamic_update_slice(cv.value, v, at)
                own = _c.compare("LE", jnp.arange(n), ci.value)
                own = _c.reshape(own, (1, 1, 1, n))
                mask = own if mask is None else jnp.logical_and(mask, own)
                ck.value = k
                cv.value = v
        off = True
        if self.dropout_rate > 0.0:
            off = merge_param("deterministic", self.deterministic, deterministic)
        x = self.attention_fn(q, k, v, mask=mask, dropout_rng=dropout_rng,
                              dropout_rate=self.dropout_rate,
                              broadcast_dropout=self.broadcast_dropout, deterministic=off,
                              dtype=self.dtype, precision=self.precision)
        return DenseGeneral(features=features, axis=(-2, -1),
                            kernel_init=self.out_kernel_init or self.kernel_init,
                            bias_init=self.out_bias_init or self.bias_init,
                            use_bias=self.use_bias, dtype=self.dtype,
                            param_dtype=self.param_dtype, name="out")(x)


class MultiHeadAttention(MultiHeadDotProductAttention):
    pass


class SelfAttention(MultiHeadDotProductAttention):
    @compact
    def __call__(self, inputs_q, mask=None, deterministic=None, dropout_rng=None,
                 sow_weights=False):
        return super().__call__(inputs_q, mask=mask, deterministic=deterministic)


def make_attention_mask(query_input, key_input, pairwise_fn=None, extra_batch_dims=0,
                        dtype=F32):
    f = pairwise_fn or jnp.multiply
    m = f(_c.expand_dims(query_input, -1), _c.expand_dims(key_input, -2))
    m = _c.expand_dims(m, -3)
    if extra_batch_dims:
        m = _c.expand_dims(m, tuple(range(extra_batch_dims)))
    return _c.convert(m, dtype)


def make_causal_mask(x, extra_batch_dims=0, dtype=F32):
    x = as_array(x)
    ids = jnp.broadcast_to(jnp.arange(x.shape[-1], dtype=jnp.int32), x.shape)
    return make_attention_mask(ids, ids, jnp.greater_equal, extra_batch_dims, dtype)


def combine_masks(*masks, dtype=F32):
    masks = [m for m in masks if m is not None]
    if not masks:
        return None
    r = masks[0]
    for m in masks[1:]:
        r = jnp.logical_and(r, m)
    return _c.convert(r, dtype)


# Pooling.

def pool(inputs, init, reduce_fn, window_shape, strides, padding):
    kind = "max" if reduce_fn is lax.max else "min" if reduce_fn is lax.min else "sum"
    return _pool(inputs, kind, window_shape, strides, padding)


def _pool(inputs, kind, window_shape, strides, padding):
    x = as_array(inputs)
    if _t.is_unknown(x):
        return x
    n = len(window_shape)
    strides = _ones(strides, n)
    lead = len(x.shape) - n - 1
    window = [1] * lead + list(window_shape) + [1]
    moves = [1] * lead + list(strides) + [1]
    if not isinstance(padding, str):
        padding = [(0, 0)] * lead + [(p, p) if isinstance(p, int) else tuple(p)
                                     for p in padding] + [(0, 0)]
    low, high = _c.windows(padding, x.shape, window, moves, [1] * len(window))
    return _c.reduce_window(kind, x, window, moves, low, high)


def avg_pool(inputs, window_shape, strides=None, padding="VALID", count_include_pad=True):
    y = _pool(inputs, "sum", window_shape, strides, padding)
    return binary("divide", y, float(math.prod(window_shape)))


def max_pool(inputs, window_shape, strides=None, padding="VALID"):
    return _pool(inputs, "max", window_shape, strides, padding)


def min_pool(inputs, window_shape, strides=None, padding="VALID"):
    return _pool(inputs, "min", window_shape, strides, padding)


# Combinators and small modules.

class Sequential(Module):
    layers: Any

    def __call__(self, *args, **kw):
        out = self.layers[0](*args, **kw) if self.layers else args[0]
        for layer in self.layers[1:]:
            if isinstance(out, tuple):
                out = layer(*out)
            elif isinstance(out, dict):
                out = layer(**out)
            else:
                out = layer(out)
        return out


class PReLU(Module):
    param_dtype: Any = F32
    negative_slope_init: float = 0.01

    @compact
    def __call__(self, x):
        a = self.param("negative_slope", lambda k: jnp.asarray(self.negative_slope_init,
                                                               self.param_dtype))
        return jnp.where(x >= 0, x, a * x)


# Recurrent cells.

def _carry_shape(cell, rng, input_shape):
    """Of the state; called on the class, as once was usual: (key, batch dims, features)."""
    if isinstance(input_shape, int):
        return tuple(rng) + (input_shape,)
    return tuple(input_shape[:-1]) + (cell.features,)


class RNNCellBase(Module):
    def initialize_carry(self, rng, input_shape):
        raise NotImplementedError

    @property
    def num_feature_axes(self):
        return 1


class LSTMCell(RNNCellBase):
    features: Any = None
    gate_fn: Any = _nn.sigmoid
    activation_fn: Any = _nn.tanh
    kernel_init: Any = lecun
    recurrent_kernel_init: Any = initializers.orthogonal()
    bias_init: Any = zeros
    dtype: Any = None
    param_dtype: Any = F32
    carry_init: Any = zeros

    @compact
    def __call__(self, carry, inputs):
        c, h = carry
        n = h.shape[-1]
        inner = functools.partial(Dense, n, use_bias=False, dtype=self.dtype,
                                  param_dtype=self.param_dtype, kernel_init=self.kernel_init)
        outer = functools.partial(Dense, n, use_bias=True, dtype=self.dtype,
                                  param_dtype=self.param_dtype, bias_init=self.bias_init,
                                  kernel_init=self.recurrent_kernel_init)
        i = self.gate_fn(inner(name="ii")(inputs) + outer(name="hi")(h))
        f = self.gate_fn(inner(name="if")(inputs) + outer(name="hf")(h))
        g = self.activation_fn(inner(name="ig")(inputs) + outer(name="hg")(h))
        o = self.gate_fn(inner(name="io")(inputs) + outer(name="ho")(h))
        c = f * c + i * g
        h = o * self.activation_fn(c)
        return (c, h), h

    def initialize_carry(self, rng, input_shape):
        shape = _carry_shape(self, rng, input_shape)
        return jnp.zeros(shape, F32), jnp.zeros(shape, F32)


class OptimizedLSTMCell(LSTMCell):
    pass


class GRUCell(RNNCellBase):
    features: Any = None
    gate_fn: Any = _nn.sigmoid
    activation_fn: Any = _nn.tanh
    kernel_init: Any = lecun
    recurrent_kernel_init: Any = initializers.orthogonal()
    bias_init: Any = zeros
    dtype: Any = None
    param_dtype: Any = F32
    carry_init: Any = zeros

    @compact
    def __call__(self, carry, inputs):
        h = carry
        n = h.shape[-1]
        outer = functools.partial(Dense, n, use_bias=False, dtype=self.dtype,
                                  param_dtype=self.param_dtype)
        inner = functools.partial(Dense, n, use_bias=True, dtype=self.dtype,
                                  param_dtype=self.param_dtype)
        r = self.gate_fn(inner(name="ir")(inputs) + outer(name="hr")(h))
        z = self.gate_fn(inner(name="iz")(inputs) + outer(name="hz")(h))
        k = self.activation_fn(inner(name="in")(inputs)
                               + r * outer(name="hn", use_bias=True)(h))
        h = (1.0 - z) * k + z * h
        return h, h

    def initialize_carry(self, rng, input_shape):
        return jnp.zeros(_carry_shape(self, rng, input_shape), F32)


class MGUCell(GRUCell):
    reset_gate: bool = True

    @compact
    def __call__(self, carry, inputs):
        h = carry
        n = h.shape[-1]
        f = self.gate_fn(Dense(n, name="if")(inputs) + Dense(n, use_bias=False, name="hf")(h))
        x = Dense(n, use_bias=False, name="hn")(h)
        k = self.activation_fn(Dense(n, name="in")(inputs) + f * x)
        h = (1.0 - f) * k + f * h
        return h, h


class SimpleCell(RNNCellBase):
    features: Any = None
    activation_fn: Any = _nn.tanh
    kernel_init: Any = lecun
    recurrent_kernel_init: Any = initializers.orthogonal()
    bias_init: Any = zeros
    dtype: Any = None
    param_dtype: Any = F32
    carry_init: Any = zeros
    residual: bool = False

    @compact
    def __call__(self, carry, inputs):
        n = carry.shape[-1]
        h = Dense(n, name="i", dtype=self.dtype)(inputs) \
            + Dense(n, use_bias=False, name="h", dtype=self.dtype)(carry)
        h = self.activation_fn(carry + h if self.residual else h)
        return h, h

    def initialize_carry(self, rng, input_shape):
        return jnp.zeros(_carry_shape(self, rng, input_shape), F32)


class ConvLSTMCell(RNNCellBase):
    features: int
    kernel_size: Any
    strides: Any = None
    padding: Any = "SAME"
    use_bias: bool = True
    dtype: Any = None
    param_dtype: Any = F32
    carry_init: Any = zeros

    @compact
    def __call__(self, carry, inputs):
        c, h = carry
        gates = Conv(4 * self.features, self.kernel_size, strides=self.strides,
                     padding=self.padding, use_bias=self.use_bias, name="ih")(inputs) \
            + Conv(4 * self.features, self.kernel_size, strides=self.strides,
                   padding=self.padding, use_bias=self.use_bias, name="hh")(h)
        i, g, f, o = jnp.split(gates, 4, -1)
        c = _nn.sigmoid(f + 1) * c + _nn.sigmoid(i) * jnp.tanh(g)
        h = _nn.sigmoid(o) * jnp.tanh(c)
        return (c, h), h

    def initialize_carry(self, rng, input_shape):
        shape = tuple(input_shape[:-1]) + (self.features,)
        return jnp.zeros(shape), jnp.zeros(shape)

    @property
    def num_feature_axes(self):
        return len(self.kernel_size) + 1


class RNN(Module):
    cell: Any
    time_major: bool = False
    return_carry: bool = False
    reverse: bool = False
    keep_order: bool = False
    unroll: int = 1
    variable_axes: Any = None
    variable_broadcast: Any = "params"
    variable_carry: Any = False
    split_rngs: Any = None

    def __call__(self, inputs, *, initial_carry=None, init_key=None, seq_lengths=None,
                 return_carry=None, time_major=None, reverse=None, keep_order=None):
        x = as_array(inputs)
        if _t.is_unknown(x):
            return x
        major = self.time_major if time_major is None else time_major
        back = self.reverse if reverse is None else reverse
        keep = self.keep_order if keep_order is None else keep_order
        give = self.return_carry if return_carry is None else return_carry
        axis = 0 if major else len(x.shape) - self.cell.num_feature_axes - 1
        shape = list(x.shape)
        del shape[axis]
        carry = initial_carry if initial_carry is not None else \
            self.cell.initialize_carry(_c.Key(()), tuple(shape))
        n = x.shape[axis]
        trips = 1 if self.scope.root.making or n > lax.UNROLL else n
        if trips != n and not self.scope.root.making:
            def body(i, c):
                return self.cell(c, _lift._take(x, axis, binary("subtract", n - 1, i)
                                                if back else i))
            done = lax.long_loop(n, carry, body)
            if done is not None:
                y = done[1]
                if back and keep:
                    y = _tree.map(lambda v: _c.reverse(v, [0]), y)
                y = _tree.map(lambda v: _c.moveaxis(v, 0, axis), y)
                return (done[0], y) if give else y
            _t.record("loop", trips=n)
            _t.note("a recurrent layer of " + str(n) + " steps is traced as one step")
        rows = []
        for t in range(trips):
            carry, y = self.cell(carry, _lift._take(x, axis, n - 1 - t if back else t))
            rows.append(y)
        if back and keep:
            rows = rows[::-1]
        if trips != n:
            rows = [_tree.map(lambda y: _c.broadcast_to(
                _c.expand_dims(y, axis), list(y.shape[:axis]) + [n] + list(y.shape[axis:])),
                rows[0])]
            y = rows[0]
        else:
            y = _tree.map(lambda *v: _c.stack(v, axis), rows[0], *rows[1:])
        return (carry, y) if give else y


class Bidirectional(Module):
    forward_rnn: Any
    backward_rnn: Any
    merge_fn: Any = None
    time_major: bool = False
    return_carry: bool = False

    def __call__(self, inputs, *, initial_carry=None, init_key=None, seq_lengths=None,
                 return_carry=None, time_major=None, reverse=None, keep_order=None):
        a = self.forward_rnn(inputs, return_carry=True)
        b = self.backward_rnn(inputs, return_carry=True, reverse=True, keep_order=True)
        merge = self.merge_fn or (lambda u, v: jnp.concatenate([u, v], -1))
        y = merge(a[1], b[1])
        give = self.return_carry if return_carry is None else return_carry
        return ((a[0], b[0]), y) if give else y
