"""Operations of neural networks."""

import math

from keras import _leaf as _l
from keras import activations as _a
from keras._leaf import (axes_of, code, code_of, dims, einsum, expand, floating, h_of, many, op,
                         put, reduce, reshape, unary, wrap)

_SAME = ("relu", "relu6", "sigmoid", "tanh", "silu", "softplus", "softsign", "selu",
         "log_sigmoid", "hard_sigmoid", "hard_silu", "hard_tanh", "elu", "celu", "leaky_relu",
         "softmax", "log_softmax", "glu", "hard_shrink", "soft_shrink", "tanh_shrink",
         "threshold", "squareplus", "sparse_plus", "sparse_sigmoid", "sparsemax", "mish")
for _name in _SAME:
    globals()[_name] = getattr(_a, _name)
swish, hard_swish = _a.silu, _a.hard_silu


def gelu(x, approximate=True):
    return _a.gelu(x, approximate)


def _first(data_format):
    from keras.layers._conv import format_of
    return format_of(data_format) == "channels_first"


def _pool(x, kind, size, strides, padding, data_format):
    h = h_of(x)
    n = len(dims(h)) - 2
    window = list(many(size, n))
    attrs = {"window": window, "strides": window if strides is None else list(many(strides, n)),
             "channels_first": _first(data_format)}
    if padding.lower() == "same":
        attrs["padding"] = "SAME"
    if kind == "max":
        attrs["kind"] = "max"
        return wrap(op("tw.reduce_window", [h], attrs))
    return wrap(op("tw.avg_pool", [h], attrs))


def max_pool(inputs, pool_size, strides=None, padding="valid", data_format=None):
    return _pool(inputs, "max", pool_size, strides, padding, data_format)


def average_pool(inputs, pool_size, strides=None, padding="valid", data_format=None):
    return _pool(inputs, "mean", pool_size, strides, padding, data_format)


def _adaptive(inputs, output_size, kind, data_format):
    from keras.layers._pool import adaptive
    h = h_of(inputs)
    return wrap(adaptive(h, many(output_size, len(dims(h)) - 2), kind, _first(data_format)))


def adaptive_max_pool(inputs, output_size, data_format=None):
    return _adaptive(inputs, output_size, "max", data_format)


def adaptive_average_pool(inputs, output_size, data_format=None):
    return _adaptive(inputs, output_size, "mean", data_format)


def conv(inputs, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    h = h_of(inputs)
    k = put(h_of(kernel), code(h))
    n = len(dims(k)) - 2
    first = _first(data_format)
    channels = dims(h)[1 if first else -1]
    groups = channels // dims(k)[n]
    if first:
        k = _l.transpose(k, [n + 1, n] + list(range(n)))
    attrs = {"strides": list(many(strides, n)), "rhs_dilation": list(many(dilation_rate, n)),
             "groups": groups, "channels_first": first}
    if padding.lower() == "same":
        attrs["padding"] = "SAME"
    elif padding.lower() == "causal":
        attrs["low"] = [(dims(h_of(kernel))[0] - 1) * attrs["rhs_dilation"][0]] + [0] * (n - 1)
    return wrap(op("tw.conv", [h, k], attrs))


def depthwise_conv(inputs, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    k = h_of(kernel)
    shape = dims(k)
    k = reshape(k, shape[:-2] + (1, shape[-2] * shape[-1]))
    return conv(inputs, wrap(k), strides, padding, data_format, dilation_rate)


def separable_conv(inputs, depthwise_kernel, pointwise_kernel, strides=1, padding="valid",
                   data_format=None, dilation_rate=1):
    y = depthwise_conv(inputs, depthwise_kernel, strides, padding, data_format, dilation_rate)
    return conv(y, pointwise_kernel, 1, "valid", data_format)


def conv_transpose(inputs, kernel, strides=1, padding="valid", output_padding=None,
                   data_format=None, dilation_rate=1):
    from keras.layers._conv import transposed_conv
    h, k = h_of(inputs), h_of(kernel)
    n = len(dims(k)) - 2
    strides, dilation = many(strides, n), many(dilation_rate, n)
    first, same = _first(data_format), padding.lower() == "same"
    spatial = dims(h)[2:] if first else dims(h)[1:-1]
    lengths = []
    for i in range(n):
        extent = (dims(k)[i] - 1) * dilation[i] + 1
        if output_padding is not None:
            lengths.append((spatial[i] - 1) * strides[i] + extent + many(output_padding, n)[i]
                           - (2 * (extent // 2) if same else 0))
        else:
            lengths.append(spatial[i] * strides[i]
                           + (0 if same else max(extent - strides[i], 0)))
    return wrap(transposed_conv(h, k, strides, dilation, lengths, first))


def one_hot(x, num_classes, axis=-1, dtype=None, sparse=False):
    return wrap(op("tw.one_hot", [put(h_of(x), "s32")], {
        "depth": int(num_classes), "axis": axis, "dtype": code_of(dtype)}))


def multi_hot(inputs, num_classes=None, axis=-1, dtype=None, sparse=False, num_tokens=None):
    h = one_hot(inputs, num_classes or num_tokens, axis, dtype)._h
    return wrap(reduce("max", h, len(dims(h)) - 2) if len(dims(h)) > 1 else h)


def moments(x, axes, keepdims=False, synchronized=False):
    h = floating(h_of(x))
    return wrap(reduce("mean", h, axes, keepdims)), wrap(reduce("variance", h, axes, keepdims))


def batch_normalization(x, mean, variance, axis, offset=None, scale=None, epsilon=1e-3):
    h = h_of(x)
    return wrap(op("tw.batch_norm", [
        h, None if scale is None else h_of(scale), None if offset is None else h_of(offset),
        h_of(mean), h_of(variance)], {
            "feature_dim": axis % len(dims(h)), "epsilon": float(epsilon), "training": False}))


def layer_normalization(x, gamma=None, beta=None, axis=-1, epsilon=None, **kwargs):
    h = h_of(x)
    axes = sorted(axes_of(axis, len(dims(h))))
    return wrap(op("tw.layer_norm", [h, None if gamma is None else h_of(gamma),
                                     None if beta is None else h_of(beta)],
                   {"dims": axes, "epsilon": float(epsilon or 1e-7)}))


def rms_normalization(x, scale=1, axis=-1, epsilon=None):
    h = h_of(x)
    given = scale is None or isinstance(scale, (int, float))
    return wrap(op("tw.rms_norm", [h, None if given else h_of(scale)],
                   {"dims": sorted(axes_of(axis, len(dims(h)))),
                    "epsilon": float(epsilon or 1e-7)}))


def normalize(x, axis=-1, order=2, epsilon=None):
    h = floating(h_of(x))
    if order == 2 and isinstance(axis, int):
        return wrap(op("tw.unit_length", [h], {"dim": axis}))
    from keras.ops._reduce import norm
    return wrap(_l.div(h, _l.binary("maximum", norm(wrap(h), order, axis, True)._h, 1e-12)))


def dot_product_attention(query, key, value, bias=None, mask=None, scale=None, is_causal=False,
                          flash_attention=None, attn_logits_soft_cap=None):
    """[n, tokens, heads, depth]; heads of keys may stand for several of queries."""
    from keras.layers._activation import masked
    from keras.layers._attention import causal
    q, k, v = h_of(query), h_of(key), h_of(value)
    heads = dims(q)[2]
    if dims(k)[2] != heads:
        k, v = [_repeated(h, heads // dims(h)[2]) for h in (k, v)]
    s = _l.mul(einsum("btnh,bsnh->bnts", q, k), float(scale or dims(q)[3] ** -0.5))
    if attn_logits_soft_cap:
        s = _l.mul(unary("tanh", _l.mul(s, 1.0 / attn_logits_soft_cap)),
                   float(attn_logits_soft_cap))
    if bias is not None:
        s = _l.add(s, put(h_of(bias), code(s)))
    if mask is not None:
        s = masked(s, h_of(mask))
    if is_causal:
        s = masked(s, causal(dims(s)[2], dims(s)[3]))
    w = op("tw.softmax", [s], {"dim": -1})
    return wrap(einsum("bnts,bsnh->btnh", w, v))


def _repeated(h, n):
    b, t, k, d = dims(h)
    return reshape(_l.broadcast(reshape(h, (b, t, k, 1, d)), (b, t, k, n, d)), (b, t, k * n, d))


def binary_crossentropy(target, output, from_logits=False):
    t, p = put(h_of(target), code(h_of(output))), h_of(output)
    if from_logits:
        top = unary("relu", p)
        soft = unary("log1p", unary("exp", unary("negate", unary("abs", p))))
        return wrap(_l.add(_l.sub(top, _l.mul(p, t)), soft))
    p = op("tw.clamp", [p], {"min": 1e-7, "max": 1 - 1e-7})
    y = _l.add(_l.mul(t, unary("log", p)),
               _l.mul(_l.sub(1.0, t), unary("log", _l.sub(1.0, p))))
    return wrap(unary("negate", y))


def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    p = h_of(output)
    t = put(h_of(target), code(p))
    if from_logits:
        return wrap(op("tw.cross_entropy", [p, t]))
    p = _l.div(p, reduce("sum", p, axis, True))
    p = unary("log", op("tw.clamp", [p], {"min": 1e-7, "max": 1 - 1e-7}))
    return wrap(unary("negate", reduce("sum", _l.mul(t, p), axis)))


def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1):
    p, t = h_of(output), put(h_of(target), "s32")
    if len(dims(t)) == len(dims(p)):
        t = reshape(t, dims(t)[:-1])
    if not from_logits:
        p = unary("log", op("tw.clamp", [p], {"min": 1e-7, "max": 1 - 1e-7}))
    return wrap(op("tw.cross_entropy", [p, t]))


def ctc_loss(target, output, target_length, output_length, mask_index=0):
    from keras._loss_functions import ctc_of
    return wrap(ctc_of(h_of(output)))


def ctc_decode(inputs, sequence_lengths, strategy="greedy", beam_width=100, top_paths=1,
               merge_repeated=True, mask_index=0):
    h = h_of(inputs)
    best = op("tw.arg_reduce", [h], {"kind": "max", "dim": 2})
    score = reduce("sum", reduce("max", h, 2), 1, True)
    return wrap(expand(best, 0)), wrap(score)


def psnr(x1, x2, max_val):
    a, b = _l.pair(x1, x2)
    error = reduce("mean", unary("square", _l.sub(a, b)))
    return wrap(_l.sub(8.685889638 * math.log(max_val), _l.mul(unary("log", error), 4.342944819)))


def polar(abs_, angle):
    a, b = h_of(abs_), h_of(angle)
    return wrap(op("tw.complex", [_l.mul(a, unary("cos", b)), _l.mul(a, unary("sin", b))]))


def unfold(x, kernel_size, dilation=1, padding=0, stride=1):
    """[n, channels, height, width] to [n, channels * kernel, places]."""
    h = h_of(x)
    (kr, kc), (dr, dc) = many(kernel_size, 2), many(dilation, 2)
    (pr, pc), (sr, sc) = many(padding, 2), many(stride, 2)
    h = _l.pad(h, [0, 0, pr, pc], [0, 0, pr, pc])
    n, c, rows, columns = dims(h)
    r, q = (rows - dr * (kr - 1) - 1) // sr + 1, (columns - dc * (kc - 1) - 1) // sc + 1
    parts = [_l.cut(_l.cut(h, 2, i * dr, i * dr + (r - 1) * sr + 1, sr), 3, j * dc,
                    j * dc + (q - 1) * sc + 1, sc) for i in range(kr) for j in range(kc)]
    return wrap(reshape(op("tw.stack", parts, {"dim": 2}), (n, c * kr * kc, r * q)))
