"""Convolutions, pools, normalisations, activations."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._array import ints
from tensorflow._dtypes import FLOATS
from tensorflow._math import axes_of, float_unary, reduced
from tensorflow._tensor import (Tensor, binary, compare, convert, handle, number_of, pair, tensor,
                                to_float, unary, wrap)

_op = _tilewise.op
_unk = _tilewise.is_unknown
_shape = _tilewise.shape


def _first(data_format):
    return isinstance(data_format, str) and data_format.startswith("NC")


def spatial(value, n, channels_first=False, otherwise=1):
    """One number for each spatial dim of what may be given for all dims."""
    if value is None:
        return [otherwise] * n
    values = ints(value)
    if _unk(values):
        return [otherwise] * n
    if len(values) == n:
        return values
    if len(values) == 1:
        return values * n
    if len(values) == n + 2:
        return values[2:] if channels_first else values[1:-1]
    raise ValueError("found " + str(len(values)) + " numbers for " + str(n) + " dims")


def _padding(attrs, padding, n, channels_first):
    if isinstance(padding, str):
        if padding.upper() == "SAME":
            attrs["padding"] = "SAME"
        elif padding.upper() not in ("VALID", "EXPLICIT"):
            raise ValueError("padding " + repr(padding))
        return attrs
    pairs = [list(p) for p in padding]
    if len(pairs) == n + 2:
        pairs = pairs[2:] if channels_first else pairs[1:-1]
    attrs["low"], attrs["high"] = [p[0] for p in pairs], [p[1] for p in pairs]
    return attrs


def _pair(x, k):
    """An image and its kernel in one type."""
    x, k = pair(x, k)
    return x, k


def conv(x, kernel, strides=1, padding="VALID", dilations=1, channels_first=False, groups=None):
    """Of handles; the kernel is [spatial.., in / groups, out]."""
    sizes = _shape(kernel)
    n = len(sizes) - 2
    attrs = {"strides": spatial(strides, n, channels_first)}
    if dilations is not None and dilations != 1:
        attrs["rhs_dilation"] = spatial(dilations, n, channels_first)
    _padding(attrs, padding, n, channels_first)
    lead = len(_shape(x)) - n - 2
    more = None
    if lead > 0:
        more = list(_shape(x))[:lead + 1]
        x = _op("tw.reshape", [x], {"shape": [-1] + list(_shape(x))[lead + 1:]})
    features = _shape(x)[1 if channels_first else -1]
    if groups is None:
        groups = features // sizes[-2]
    if groups != 1:
        attrs["groups"] = groups
    if channels_first:
        attrs["channels_first"] = True
        kernel = _op("tw.transpose", [kernel], {"permutation": [n + 1, n] + list(range(n))})
    y = _op("tw.conv", [x, kernel], attrs)
    if more is not None:
        y = _op("tw.reshape", [y], {"shape": more + list(_shape(y))[1:]})
    return y


def convolution(input, filters=None, strides=None, padding="VALID", data_format=None,
                dilations=None, name=None, filter=None, dilation_rate=None):
    x, k = _pair(input, filter if filters is None else filters)
    if _unk(x) or _unk(k):
        return x if _unk(x) else k
    dilations = dilation_rate if dilations is None else dilations
    return wrap(conv(x, k, strides, padding, dilations, _first(data_format)))


def conv2d(input, filters=None, strides=1, padding="VALID", data_format="NHWC", dilations=None,
           name=None, filter=None, use_cudnn_on_gpu=True):
    return convolution(input, filters, strides, padding, data_format, dilations, None, filter)


conv3d = conv2d


def conv1d(input, filters=None, stride=1, padding="VALID", data_format="NWC", dilations=None,
           name=None, value=None):
    return convolution(input, filters, stride, padding, data_format, dilations)


def atrous_conv2d(value, filters, rate, padding, name=None):
    return convolution(value, filters, 1, padding, "NHWC", rate)


def depthwise(x, k, strides, padding, dilations, channels_first):
    h, w, features, multiplier = _shape(k)
    k = _op("tw.reshape", [k], {"shape": [h, w, 1, features * multiplier]})
    return conv(x, k, strides, padding, dilations, channels_first, features)


def depthwise_conv2d(input, filter=None, strides=1, padding="VALID", data_format=None,
                     dilations=None, name=None, filters=None, rate=None):
    x, k = _pair(input, filter if filters is None else filters)
    if _unk(x) or _unk(k):
        return x if _unk(x) else k
    dilations = rate if dilations is None else dilations
    return wrap(depthwise(x, k, strides, padding, dilations, _first(data_format)))


def separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding,
                     data_format=None, dilations=None, name=None):
    y = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return convolution(y, pointwise_filter, 1, "VALID", data_format)


def _spread(size, out, kernel, stride, dilation, padding, pair_of):
    """What a transposed convolution pads its input with, low and high."""
    reach = (kernel - 1) * dilation + 1
    if pair_of is not None:
        low = pair_of[0]
    elif padding == "SAME":
        low = max((size - 1) * stride + reach - out, 0) // 2
    else:
        low = 0
    low = reach - 1 - low
    return low, out - (size - 1) * stride - 1 - low + reach - 1


def transposed(x, kernel, output, strides, padding="SAME", dilations=None, channels_first=False):
    """Of handles; the kernel is [spatial.., out, in], `output` sizes of the spatial dims."""
    n = len(_shape(kernel)) - 2
    strides = spatial(strides, n, channels_first)
    dilation = spatial(dilations, n, channels_first)
    sizes = _shape(x)[2:] if channels_first else _shape(x)[1:-1]
    named = padding.upper() if isinstance(padding, str) else None
    pairs = None if named else _padding({}, padding, n, channels_first)
    low, high = [], []
    for i in range(n):
        given = None if pairs is None else (pairs["low"][i], pairs["high"][i])
        a, b = _spread(sizes[i], output[i], _shape(kernel)[i], strides[i], dilation[i], named,
                       given)
        low.append(a)
        high.append(b)
    order = list(range(n)) + [n + 1, n]
    if channels_first:
        order = [n, n + 1] + list(range(n))
    kernel = _op("tw.transpose", [kernel], {"permutation": order})
    return _op("tw.conv", [x, kernel], {
        "lhs_dilation": strides, "rhs_dilation": dilation, "low": low, "high": high,
        "channels_first": channels_first})


def conv_transpose(input, filters, output_shape, strides, padding="SAME", data_format=None,
                   dilations=None, name=None):
    x, k = _pair(input, filters)
    if _unk(x) or _unk(k):
        return x if _unk(x) else k
    sizes = ints(output_shape, True)
    if _unk(sizes):
        return sizes
    n = len(_shape(k)) - 2
    first = _first(data_format)
    if len(sizes) == n + 2:
        sizes = sizes[2:] if first else sizes[1:-1]
    return wrap(transposed(x, k, sizes, strides, padding, dilations, first))


def conv2d_transpose(input=None, filters=None, output_shape=None, strides=1, padding="SAME",
                     data_format="NHWC", dilations=None, name=None, value=None, filter=None):
    return conv_transpose(value if input is None else input, filter if filters is None else filters,
                          output_shape, strides, padding, data_format, dilations)


conv1d_transpose = conv3d_transpose = conv2d_transpose
atrous_conv2d_transpose = conv2d_transpose


# ---- pools


def pool_of(kind, x, window, strides, padding, channels_first=False, n=None):
    n = len(_shape(x)) - 2 if n is None else n
    attrs = {"window": spatial(window, n, channels_first),
             "strides": spatial(window if strides is None else strides, n, channels_first)}
    _padding(attrs, padding, n, channels_first)
    if channels_first:
        attrs["channels_first"] = True
    if kind == "mean":
        return _op("tw.avg_pool", [x], attrs)
    attrs["kind"] = kind
    return _op("tw.reduce_window", [x], attrs)


def _pool(kind):
    def function(input=None, ksize=1, strides=None, padding="VALID", data_format=None, name=None,
                 value=None):
        h = handle(value if input is None else input)
        return h if _unk(h) else wrap(pool_of(kind, h, ksize, strides, padding,
                                              _first(data_format)))
    function.__name__ = kind + "_pool"
    return function


max_pool, avg_pool = _pool("max"), _pool("mean")
max_pool1d = max_pool2d = max_pool3d = max_pool
avg_pool1d = avg_pool2d = avg_pool3d = avg_pool


def pool(input, window_shape, pooling_type, strides=None, padding="VALID", data_format=None,
         dilations=None, name=None):
    kind = "max" if pooling_type.upper() == "MAX" else "mean"
    return wrap(pool_of(kind, handle(input), window_shape, strides or 1, padding,
                        _first(data_format)))


def max_pool_with_argmax(input, ksize, strides, padding, data_format="NHWC",
                         output_dtype=_dtypes.int64, include_batch_in_index=False, name=None):
    y = max_pool(input, ksize, strides, padding, data_format)
    _tilewise.note("places of the largest elements are not computed")
    code = _dtypes.code_of(output_dtype)
    return y, wrap(_tilewise.input(list(_shape(y._h)), code, "places", None))


# ---- activations


def _activation(kind):
    def function(features=None, name=None, x=None):
        return float_unary(kind, x if features is None else features)
    function.__name__ = kind
    return function


relu6, selu, elu, softsign = (_activation("relu6"), _activation("selu"), _activation("elu"),
                              _activation("softsign"))
softplus, tanh, sigmoid = _activation("softplus"), _activation("tanh"), _activation("logistic")


def relu(features=None, name=None):
    return unary("relu", features)


def leaky_relu(features, alpha=0.2, name=None):
    a = number_of(alpha)
    return wrap(_op("tw.leaky_relu", [handle(features)], {"alpha": 0.2 if a is None else a}))


def gelu(features, approximate=False, name=None):
    return unary("gelu_tanh" if approximate else "gelu", features)


def silu(features, beta=1.0, name=None):
    if number_of(beta) == 1:
        return unary("silu", features)
    x = tensor(features)
    return x * float_unary("logistic", x * beta)


swish = silu


def crelu(features, axis=-1, name=None):
    x = handle(features)
    negative = _op("tw.unary", [x], {"kind": "negate"})
    return unary("relu", wrap(_op("tw.concatenate", [x, negative], {"dim": axis})))


def softmax(logits, axis=None, name=None, dim=None):
    axis = dim if axis is None else axis
    return wrap(_op("tw.softmax", [_floats(logits)], {"dim": -1 if axis is None else axis}))


def _floats(x):
    h = handle(x)
    return h if _unk(h) else to_float(h)


def log_softmax(logits, axis=None, name=None, dim=None):
    axis = dim if axis is None else axis
    return wrap(_op("tw.log_softmax", [_floats(logits)], {"dim": -1 if axis is None else axis}))


def bias_add(value, bias, data_format=None, name=None):
    x, b = pair(value, bias)
    if _unk(x) or _unk(b):
        return x if _unk(x) else b
    if _first(data_format):
        b = _op("tw.reshape", [b], {"shape": [-1] + [1] * (len(_shape(x)) - 2)})
    return wrap(_op("tw.binary", [x, b], {"kind": "add"}))


def xw_plus_b(x, weights, biases, name=None):
    from tensorflow._linear import matmul
    return bias_add(matmul(x, weights), biases)


def relu_layer(x, weights, biases, name=None):
    return relu(xw_plus_b(x, weights, biases))


# ---- normalisations


def moments(x, axes=None, shift=None, keepdims=False, name=None, keep_dims=None):
    keep = bool(keepdims or keep_dims)
    return reduced("mean", x, axes, keep), reduced("variance", x, axes, keep)


def weighted_moments(x, axes, frequency_weights, keepdims=False, name=None):
    total = reduced("sum", tensor(frequency_weights), axes, True)
    mean = reduced("sum", binary("multiply", x, frequency_weights), axes, True) / total
    square = reduced("sum", unary("square", x - mean) * frequency_weights, axes, True) / total
    if keepdims:
        return mean, square
    return reduced("mean", mean, axes, False), reduced("mean", square, axes, False)


def batch_normalization(x, mean, variance, offset=None, scale=None, variance_epsilon=1e-3,
                        name=None):
    inverse = unary("rsqrt", tensor(variance) + variance_epsilon)
    if scale is not None:
        inverse = inverse * scale
    y = tensor(x) * inverse
    shift = -(tensor(mean) * inverse) if offset is None else tensor(offset) - mean * inverse
    return y + shift


def fused_batch_norm(x, scale, offset, mean=None, variance=None, epsilon=0.001,
                     data_format="NHWC", is_training=True, name=None, exponential_avg_factor=1.0):
    dim = 1 if _first(data_format) else -1
    h = handle(x)
    given = not is_training
    ins = [h, handle(scale), handle(offset)]
    ins += [handle(mean), handle(variance)] if given else [None, None]
    y = wrap(_op("tw.batch_norm", ins, {"feature_dim": dim, "epsilon": epsilon,
                                        "training": bool(is_training)}))
    if given:
        return y, tensor(mean), tensor(variance)
    n = len(_shape(h))
    axes = [i for i in range(n) if i != dim % n]
    return y, reduced("mean", x, axes, False), reduced("variance", x, axes, False)


def local_response_normalization(input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None):
    h = handle(input)
    square = _op("tw.unary", [h], {"kind": "square"})
    n = len(_shape(h))
    total = _op("tw.reduce_window", [square], {
        "kind": "sum", "window": [1] * (n - 1) + [2 * depth_radius + 1], "strides": [1] * n,
        "low": [0] * (n - 1) + [depth_radius], "high": [0] * (n - 1) + [depth_radius]})
    return wrap(h) / binary("power", wrap(total) * alpha + bias, beta)


lrn = local_response_normalization


def dropout(x, rate=None, noise_shape=None, seed=None, name=None, rng=None, keep_prob=None):
    if rate is None:
        kept = number_of(keep_prob)
        rate = 0.5 if kept is None else 1 - kept
    r = number_of(rate)
    h = handle(x)
    if _unk(h):
        return h
    attrs = {"rate": 0.5 if r is None else r}
    if noise_shape is not None:
        sizes = list(noise_shape) if not isinstance(noise_shape, Tensor) else ints(noise_shape)
        if not _unk(sizes):
            attrs["shared"] = [i for i, n in enumerate(sizes) if number_of(n) == 1 and
                               _shape(h)[i] != 1]
    return wrap(_op("tw.dropout", [h], attrs))


experimental_general_dropout = dropout


def embedding_lookup(params, ids, max_norm=None, name=None, partition_strategy=None, **old):
    if isinstance(params, (list, tuple)):
        params = params[0]
    if hasattr(ids, "with_values"):
        return ids.with_values(embedding_lookup(params, ids.values))
    return wrap(_op("tw.take", [handle(params), handle(ids)], {"axis": 0}))


def embedding_lookup_sparse(params, sp_ids, sp_weights, combiner="mean", max_norm=None, name=None,
                            **old):
    rows = embedding_lookup(params, sp_ids.dense() if hasattr(sp_ids, "dense") else sp_ids)
    return reduced("sum" if combiner == "sum" else "mean", rows, [-2], False)


safe_embedding_lookup_sparse = embedding_lookup_sparse
