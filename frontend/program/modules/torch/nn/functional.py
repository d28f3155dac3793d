"""torch.nn.functional: functions of layers, as ops of ONNX where it has them."""

import math
import _tilewise
from .. import _tensor
from .._tensor import (
    Tensor, cast, cast_up, cat, convert, expanded, full_like, pair, reshaped, state, transposed,
    where, wrap, wraps)

_op = _tilewise.op


def _many(value, n):
    if isinstance(value, (tuple, list)):
        return list(value) if len(value) == n else list(value) * n
    return [value] * n


def _in_place(x, y, inplace):
    return x._set(y) if inplace else y


# ---- matrix products


def linear(input, weight, bias=None):
    x, w = cast(input._h), cast(weight._h)
    if _tilewise.dtype(x) != _tilewise.dtype(w):
        x, w = pair(wrap(x), wrap(w))
    last = len(_tilewise.shape(x)) - 1
    if len(_tilewise.shape(w)) == 1:
        y = _op("onnx.MatMul", [x, w])
    elif last == 1 and bias is not None:
        return wrap(_op("onnx.Gemm", [x, w, convert(bias._h, _tilewise.dtype(x))], {"transB": 1}))
    else:
        y = _op("tw.dot_general", [x, w], {"lhs_contract": [last], "rhs_contract": [1],
                                           "lhs_batch": [], "rhs_batch": []})
    if bias is not None:
        y = _op("onnx.Add", [y, convert(bias._h, _tilewise.dtype(y))])
    return wrap(y)


def bilinear(input1, input2, weight, bias=None):
    y = _tensor.einsum("bi,oij,bj->bo", input1.reshape(-1, input1.shape[-1]), weight,
                       input2.reshape(-1, input2.shape[-1]))
    y = y.reshape(list(input1.shape[:-1]) + [weight.shape[0]])
    return y if bias is None else y + bias


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0,
              scale_grad_by_freq=False, sparse=False):
    if input.dtype.is_floating_point:
        input = input.long()  # of data whose type nobody knows
    return wrap(_op("onnx.Gather", [weight._h, input._h], {"axis": 0}))


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False,
                  mode="mean", sparse=False, per_sample_weights=None, include_last_offset=False,
                  padding_idx=None):
    rows = embedding(input, weight)
    if offsets is not None:
        # One bag for each offset; how long they are is not known.
        n = offsets.shape[0] - (1 if include_last_offset else 0)
        _tilewise.note("the bags of an EmbeddingBag are taken to be of one length")
        per = max(rows.shape[0] // max(n, 1), 1)
        rows = rows.narrow(0, 0, per * n).reshape(n, per, rows.shape[-1])
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(list(rows.shape[:-1]) + [1])
    return rows.amax(-2) if mode == "max" else rows.sum(-2) if mode == "sum" else rows.mean(-2)


def one_hot(tensor, num_classes=-1):
    if num_classes < 0:
        _tilewise.note("the number of classes of one_hot is not said")
        num_classes = 1
    return wrap(_op("tw.one_hot", [tensor._h], {"depth": num_classes, "axis": tensor.dim(),
                                                "dtype": "s64"}))


# ---- convolutions


def _bias(bias):
    """C++ writes {} where none is given."""
    return None if isinstance(bias, list) and not bias else bias


def _convolution(n, input, weight, bias, stride, padding, dilation, groups):
    bias = _bias(bias)
    single = input.dim() == n + 1
    if single:
        input = input.unsqueeze(0)
    x, w = cast(input._h), cast(weight._h)
    if _tilewise.dtype(x) != _tilewise.dtype(w):
        raise RuntimeError("Input type (" + _tilewise.dtype(x) + ") and weight type (" +
                           _tilewise.dtype(w) + ") should be the same")
    kernel = list(_tilewise.shape(w))[2:]
    stride, dilation = _many(stride, n), _many(dilation, n)
    if padding == "same":
        total = [d * (k - 1) for d, k in zip(dilation, kernel)]
        pads = [t // 2 for t in total] + [t - t // 2 for t in total]
    else:
        pads = _many(0 if padding == "valid" else padding, n) * 2
    y = wrap(_op("onnx.Conv",
                 [x, w] + ([] if bias is None else [convert(bias._h, _tilewise.dtype(x))]),
                 {"kernel_shape": kernel, "strides": stride, "pads": pads, "dilations": dilation,
                  "group": groups}))
    return y.squeeze(0) if single else y


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _convolution(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _convolution(2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _convolution(3, input, weight, bias, stride, padding, dilation, groups)


def _conv_transpose(n, input, weight, bias, stride, padding, output_padding, groups, dilation):
    bias = _bias(bias)
    single = input.dim() == n + 1
    if single:
        input = input.unsqueeze(0)
    x, w = cast(input._h), cast(weight._h)
    y = wrap(_op("onnx.ConvTranspose",
                 [x, w] + ([] if bias is None else [convert(bias._h, _tilewise.dtype(x))]),
                 {"kernel_shape": list(_tilewise.shape(w))[2:], "strides": _many(stride, n),
                  "pads": _many(padding, n) * 2, "dilations": _many(dilation, n),
                  "output_padding": _many(output_padding, n), "group": groups}))
    return y.squeeze(0) if single else y


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1,
                     dilation=1):
    return _conv_transpose(1, input, weight, bias, stride, padding, output_padding, groups,
                           dilation)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1,
                     dilation=1):
    return _conv_transpose(2, input, weight, bias, stride, padding, output_padding, groups,
                           dilation)


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1,
                     dilation=1):
    return _conv_transpose(3, input, weight, bias, stride, padding, output_padding, groups,
                           dilation)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Patches: [n, channels * kernel, places]."""
    (kh, kw), (dh, dw) = _many(kernel_size, 2), _many(dilation, 2)
    (ph, pw), (sh, sw) = _many(padding, 2), _many(stride, 2)
    x = pad(input, (pw, pw, ph, ph)) if ph or pw else input
    n, c, h, w = x.shape
    oh, ow = (h - dh * (kh - 1) - 1) // sh + 1, (w - dw * (kw - 1) - 1) // sw + 1
    if kh == sh and kw == sw and dh == dw == 1:
        x = x[:, :, :oh * kh, :ow * kw].reshape(n, c, oh, kh, ow, kw).permute(0, 1, 3, 5, 2, 4)
        return x.reshape(n, c * kh * kw, oh * ow)
    parts = [x[:, :, i * dh:i * dh + (oh - 1) * sh + 1:sh, j * dw:j * dw + (ow - 1) * sw + 1:sw]
             for i in range(kh) for j in range(kw)]
    return _tensor.stack(parts, 2).reshape(n, c * kh * kw, oh * ow)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    kernel, n = _many(kernel_size, 2), 2
    pads = _many(padding, n) * 2
    return wrap(_op("onnx.Col2Im", [input._h, _tilewise.known(_many(output_size, 2), "s64"),
                                    _tilewise.known(kernel, "s64")],
                    {"dilations": _many(dilation, n), "pads": pads, "strides": _many(stride, n)}))


# ---- pools


def _pool(name, n, input, kernel_size, stride, padding, attrs, outputs=1):
    kernel = _many(kernel_size, n)
    single = input.dim() == n + 1
    x = input.unsqueeze(0) if single else input
    attrs = dict(attrs, kernel_shape=kernel, pads=_many(padding, n) * 2,
                 strides=kernel if stride is None or stride == () or stride == [] else
                 _many(stride, n))
    y = _op(name, [x._h], attrs, outputs=outputs)
    y = wraps(y) if outputs > 1 else wrap(y)
    if single:
        return y.squeeze(0) if outputs == 1 else tuple([part.squeeze(0) for part in y])
    return y


def _max_pool(n):
    def max_pool(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                 return_indices=False):
        attrs = {"dilations": _many(dilation, n), "ceil_mode": int(ceil_mode)}
        return _pool("onnx.MaxPool", n, input, kernel_size, stride, padding, attrs,
                     2 if return_indices else 1)
    return max_pool


def _avg_pool(n):
    def avg_pool(input, kernel_size, stride=None, padding=0, ceil_mode=False,
                 count_include_pad=True, divisor_override=None):
        return _pool("onnx.AveragePool", n, input, kernel_size, stride, padding,
                     {"ceil_mode": int(ceil_mode), "count_include_pad": int(count_include_pad)})
    return avg_pool


def _lp_pool(n):
    def lp_pool(input, norm_type, kernel_size, stride=None, ceil_mode=False):
        return _pool("onnx.LpPool", n, input, kernel_size, stride, 0, {"p": int(norm_type)})
    return lp_pool


def _adaptive(kind, n):
    def adaptive_pool(input, output_size, return_indices=False):
        size = list(input.shape)[-n:]
        want = [s if w is None else w for s, w in zip(size, _many(output_size, n))]
        if all([w == 1 for w in want]):
            dims = list(range(input.dim() - n, input.dim()))
            return wrap(_op("tw.reduce", [input._h], {"kind": kind, "dims": dims, "keep": True}))
        if want == size:
            return input
        if all([s % w == 0 for s, w in zip(size, want)]):
            kernel = [s // w for s, w in zip(size, want)]
            pool = _MAX[n] if kind == "max" else _AVG[n]
            return pool(input, kernel)
        x = input
        for i, (s, w) in enumerate(zip(size, want)):
            d = x.dim() - n + i
            if s == w:
                continue
            parts = []
            for j in range(w):
                a, b = j * s // w, -(-(j + 1) * s // w)
                part = x.narrow(d, a, b - a)
                parts.append(part.amax(d, True) if kind == "max" else part.mean(d, True))
            x = cat(parts, d)
        return x
    return adaptive_pool


_MAX = {n: _max_pool(n) for n in (1, 2, 3)}
_AVG = {n: _avg_pool(n) for n in (1, 2, 3)}
max_pool1d, max_pool2d, max_pool3d = _MAX[1], _MAX[2], _MAX[3]
avg_pool1d, avg_pool2d, avg_pool3d = _AVG[1], _AVG[2], _AVG[3]
lp_pool1d, lp_pool2d = _lp_pool(1), _lp_pool(2)
adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = (
    _adaptive("mean", n) for n in (1, 2, 3))
adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = (
    _adaptive("max", n) for n in (1, 2, 3))


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    kernel = _many(kernel_size, 2)
    step = kernel if stride is None else _many(stride, 2)
    pads = _many(padding, 2)
    n, c, h, w = input.shape
    if output_size is None:
        output_size = [(s - 1) * t - 2 * p + k
                       for s, t, p, k in zip((h, w), step, pads, kernel)]
    oh, ow = output_size[-2:]
    flat = full_like(input, 0, shape=[n, c, oh * ow])
    return flat.scatter(2, indices.reshape(n, c, h * w), input.reshape(n, c, h * w)) \
        .reshape(n, c, oh, ow)


# ---- activations


def relu(input, inplace=False):
    y = wrap(_op("onnx.Relu", [input._h]))
    return input._set(y) if inplace else y


def _activation(name, attrs=None):
    def function(input, inplace=False):
        y = wrap(_op(name, [input._h], attrs or {}))
        return input._set(y) if inplace else y
    return function


def relu6(input, inplace=False):
    return _in_place(input, input.clamp(0, 6), inplace)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return _in_place(input, input.clamp(min_val, max_val), inplace)


hardswish, mish = _activation("onnx.HardSwish"), _activation("onnx.Mish")
hardsigmoid = _activation("onnx.HardSigmoid", {"alpha": 1 / 6, "beta": 0.5})
selu, tanh, sigmoid = (
    _activation("onnx." + n) for n in ("Selu", "Tanh", "Sigmoid"))
softsign = _activation("onnx.Softsign")
silu = _activation("tw.unary", {"kind": "silu"})


def gelu(input, approximate="none"):
    kind = "gelu_tanh" if approximate == "tanh" else "gelu"
    return wrap(_op("tw.unary", [input._h], {"kind": kind}))


def elu(input, alpha=1.0, inplace=False):
    return _in_place(input, wrap(_op("onnx.Elu", [input._h], {"alpha": float(alpha)})), inplace)


def celu(input, alpha=1.0, inplace=False):
    return _in_place(input, wrap(_op("onnx.Celu", [input._h], {"alpha": float(alpha)})), inplace)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    y = wrap(_op("onnx.LeakyRelu", [input._h], {"alpha": float(negative_slope)}))
    return _in_place(input, y, inplace)


def rrelu(input, lower=1 / 8, upper=1 / 3, training=False, inplace=False):
    return leaky_relu(input, (lower + upper) / 2, inplace)


def prelu(input, weight):
    w = weight
    if weight.numel() > 1 and input.dim() > 2:
        w = weight.reshape([-1] + [1] * (input.dim() - 2))
    return wrap(_op("onnx.PRelu", [input._h, w._h]))


def threshold(input, threshold, value, inplace=False):
    return _in_place(input, where(input > threshold, input, value), inplace)


def softplus(input, beta=1, threshold=20):
    return input.softplus() if beta == 1 else (input * beta).softplus() / beta


def softshrink(input, lambd=0.5):
    return wrap(_op("onnx.Shrink", [input._h], {"lambd": float(lambd), "bias": float(lambd)}))


def hardshrink(input, lambd=0.5):
    return wrap(_op("onnx.Shrink", [input._h], {"lambd": float(lambd), "bias": 0.0}))


def tanhshrink(input):
    return input - input.tanh()


def logsigmoid(input):
    return -(-input).softplus()


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    return input.softmax(-1 if dim is None else dim, dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    return (-input).softmax(-1 if dim is None else dim, dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return input.log_softmax(-1 if dim is None else dim, dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    noise = -(-_tensor.rand_like(logits).log()).log()
    y = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return y
    index = y.argmax(dim, keepdim=True)
    return full_like(logits, 0).scatter(dim, index, 1.0) - y.detach() + y


def glu(input, dim=-1):
    a, b = input.chunk(2, dim)
    return a * b.sigmoid()


relu_, tanh_ = (lambda input: relu(input, True)), (lambda input: input._set(input.tanh()))


def leaky_relu_(input, negative_slope=0.01):
    return leaky_relu(input, negative_slope, True)


def elu_(input, alpha=1.0):
    return elu(input, alpha, True)


# ---- dropout


def dropout(input, p=0.5, training=True, inplace=False):
    if not training or p == 0:
        return input
    return _in_place(input, wrap(_op("tw.dropout", [input._h], {"rate": float(p)})), inplace)


alpha_dropout = feature_alpha_dropout = dropout


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Whole channels are dropped."""
    if not training or p == 0:
        return input
    y = _op("tw.dropout", [input._h], {"rate": float(p), "shared": list(range(2, input.dim()))})
    return _in_place(input, wrap(y), inplace)


dropout1d = dropout3d = dropout2d


# ---- normalisation


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False,
               momentum=0.1, eps=1e-5):
    x = input._h
    features = [_tilewise.shape(x)[1]]
    code = "f32" if _tilewise.dtype(x) in ("bf16", "f16") else _tilewise.dtype(x)
    one = None if weight is not None and running_var is not None else \
        _tilewise.full(1.0, features, code)
    zero = None if bias is not None and running_mean is not None else \
        _tilewise.full(0.0, features, code)
    return wrap(_op("onnx.BatchNormalization",
                    [x, one if weight is None else weight._h, zero if bias is None else bias._h,
                     zero if running_mean is None else running_mean._h,
                     one if running_var is None else running_var._h],
                    {"epsilon": float(eps), "momentum": 1 - (momentum or 0.1),
                     "training_mode": int(training)}))


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    x = cast_up(input._h)
    if weight is None:
        scale = _tilewise.full(1.0, list(normalized_shape), _tilewise.dtype(x))
    else:
        scale = convert(weight._h, _tilewise.dtype(x))
    inputs = [x, scale]
    if bias is not None:
        inputs.append(convert(bias._h, _tilewise.dtype(x)))
    return wrap(_op("onnx.LayerNormalization", inputs,
                    {"axis": -len(normalized_shape), "epsilon": float(eps)}))


def rms_norm(input, normalized_shape, weight=None, eps=None):
    x = input._h
    if weight is None:
        scale = _tilewise.full(1.0, list(normalized_shape), _tilewise.dtype(x))
    else:
        scale = convert(weight._h, _tilewise.dtype(x))
    return wrap(_op("onnx.RMSNormalization", [x, scale],
                    {"axis": -len(normalized_shape),
                     "epsilon": 1.1920929e-07 if eps is None else float(eps)}))


def _scale_and_offset(x, weight, bias):
    features, code = [_tilewise.shape(x)[1]], _tilewise.dtype(x)
    return [_tilewise.full(1.0, features, code) if weight is None else convert(weight._h, code),
            _tilewise.full(0.0, features, code) if bias is None else convert(bias._h, code)]


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    x = cast_up(input._h)
    return wrap(_op("onnx.GroupNormalization", [x] + _scale_and_offset(x, weight, bias),
                    {"num_groups": num_groups, "epsilon": float(eps)}))


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None,
                  use_input_stats=True, momentum=0.1, eps=1e-5):
    x = input._h
    if not use_input_stats and running_mean is not None:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    return wrap(_op("onnx.InstanceNormalization", [x] + _scale_and_offset(x, weight, bias),
                    {"epsilon": float(eps)}))


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    return wrap(_op("onnx.LRN", [input._h], {"size": size, "alpha": float(alpha),
                                             "beta": float(beta), "bias": float(k)}))


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    return (x1 * x2).sum(dim) / (x1.norm(2, dim) * x2.norm(2, dim)).clamp_min(eps)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return (x1 - x2 + eps).norm(p, -1, keepdim)


def pdist(input, p=2.0):
    n = input.shape[0]
    rows = _tensor.triu_indices(n, n, 1)
    return (input[rows[0]] - input[rows[1]]).norm(p, -1)


# ---- attention


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0,
                                 is_causal=False, scale=None, enable_gqa=False):
    q, k, v = [cast(t._h) for t in (query, key, value)]
    lead = list(query.shape[:-2])

    def four(h):
        s = list(_tilewise.shape(h))
        if len(s) == 4:
            return transposed(h, [0, 2, 1, 3])
        if len(s) == 3:
            return reshaped(h, [s[0], s[1], 1, s[2]])
        if len(s) == 2:
            return reshaped(h, [1, s[0], 1, s[1]])
        return transposed(reshaped(h, [math.prod(s[:-3])] + s[-3:]), [0, 2, 1, 3])

    inputs = [four(q), four(k), four(v)]
    if attn_mask is not None:
        m = attn_mask._h
        s = list(_tilewise.shape(m))
        if len(lead) == 1 and len(s) == 3:
            m = reshaped(m, [s[0], 1, s[1], s[2]])
        elif len(lead) > 2 and len(s) > 3:
            m = reshaped(expanded(m, lead[:-1] + s[-3:]), [math.prod(lead[:-1])] + s[-3:])
        elif len(s) < 4:
            m = reshaped(m, [1] * (4 - len(s)) + s)
        if _tilewise.dtype(m) != "pred":
            m = convert(m, _tilewise.dtype(q))
        inputs.append(m)
    attrs = {"causal": is_causal, "flash": False}
    if dropout_p > 0 and attn_mask is None:
        # Attention that drops weights takes queries that are scaled.
        scale = query.shape[-1] ** -0.5 if scale is None else scale
        inputs[0] = _op("onnx.Mul", [inputs[0], _tilewise.known(scale, _tilewise.dtype(q))])
        attrs["dropout"] = float(dropout_p)
    elif scale is not None:
        attrs["scale"] = float(scale)
    y = wrap(_op("tw.attention", inputs, attrs))
    if len(lead) == 2:
        y = y.transpose(1, 2)
    else:
        y = y.transpose(1, 2).reshape(lead + list(y.shape[1:2]) + [y.shape[3]])
    return y


def multi_head_attention_forward(
        query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k,
        bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True,
        key_padding_mask=None, need_weights=True, attn_mask=None, use_separate_proj_weight=False,
        q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None,
        average_attn_weights=True, is_causal=False):
    """Operands are [tokens, n, embedding]."""
    single = query.dim() == 2
    same = query is key and key is value
    if single:
        query, key, value = [t.unsqueeze(1) for t in (query, key, value)]
    t, n, e = query.shape
    s = key.shape[0]
    if use_separate_proj_weight:
        biases = [None] * 3 if in_proj_bias is None else in_proj_bias.chunk(3)
        q, k, v = [linear(x, w, b) for x, w, b in zip(
            (query, key, value), (q_proj_weight, k_proj_weight, v_proj_weight), biases)]
    elif same:
        q, k, v = linear(query, in_proj_weight, in_proj_bias).chunk(3, -1)
    else:
        weights = in_proj_weight.chunk(3)
        biases = [None] * 3 if in_proj_bias is None else in_proj_bias.chunk(3)
        q, k, v = [linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases)]
    if bias_k is not None:
        k, v = cat([k, bias_k.expand(1, n, e)]), cat([v, bias_v.expand(1, n, e)])
        s += 1
    depth = e // num_heads
    q, k, v = [x.reshape(length, n, num_heads, depth).permute(1, 2, 0, 3)
               for x, length in ((q, t), (k, s), (v, s))]
    mask = attn_mask
    if mask is not None:
        if mask.dtype is _tensor.boolean:
            mask = ~mask
        if mask.dim() == 3:
            mask = mask.reshape(n, num_heads, t, s)
    if key_padding_mask is not None:
        seen = key_padding_mask
        seen = ~seen if seen.dtype is _tensor.boolean else seen
        seen = seen.reshape(n, 1, 1, s)
        if mask is None:
            mask = seen
        elif mask.dtype is _tensor.boolean and seen.dtype is _tensor.boolean:
            mask = mask & seen
        else:
            mask = _additive(mask, q) + _additive(seen, q)
    weights = None
    if need_weights:
        scores = q.matmul(k.transpose(-1, -2)) * (depth ** -0.5)
        if mask is not None:
            scores = scores + _additive(mask, scores)
        weights = dropout(scores.softmax(-1), dropout_p, training)
        y = weights.matmul(v)
        if average_attn_weights:
            weights = weights.mean(1)
    else:
        y = scaled_dot_product_attention(q, k, v, mask, dropout_p if training else 0.0,
                                         is_causal and mask is None)
    y = linear(y.permute(2, 0, 1, 3).reshape(t, n, e), out_proj_weight, out_proj_bias)
    return (y.squeeze(1) if single else y), weights


def _additive(mask, like):
    if mask.dtype is not _tensor.boolean:
        return mask
    zero = full_like(like, 0.0, shape=[1])
    return where(mask, zero, -math.inf)


# ---- losses


def _loss(value, name, from_logits=False, sparse=False):
    if not state.stepped:
        _tilewise.record("loss", value=value._h, name=name, from_logits=from_logits,
                         sparse=sparse)
    return value


def _reduce_loss(value, reduction):
    return value.mean() if reduction == "mean" else value.sum() if reduction == "sum" else value


def _reduction(reduction, size_average, reduce):
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"


def _expected(target, x, classes):
    """What the loss is measured against. Where it is not known, what such a loss takes."""
    if isinstance(target, Tensor) or _tilewise.is_unknown(x):
        return target
    if not _tilewise.is_unknown(target):
        return _tensor.tensor(target)
    shape = list(x.shape)
    if classes:
        _tilewise.note("what the loss is measured against is not known; it is taken to be class "
                       "numbers")
        if len(shape) > 1:
            shape.pop(1)
        return wrap(_tilewise.input(shape, "s64", "", 0 if len(shape) > 0 else None))
    _tilewise.note("what the loss is measured against is not known; it is taken to be as large "
                   "as the output")
    return wrap(_tilewise.input(shape, _tilewise.dtype(x._h), "", 0 if shape else None))


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
                  reduction="mean", label_smoothing=0.0):
    reduction = _reduction(reduction, size_average, reduce)
    x = wrap(cast_up(input._h))
    at = 1 if x.dim() > 1 else 0
    target = _expected(target, x, True)
    if target.shape == x.shape and target.is_floating_point():
        t = target
        if label_smoothing:
            t = t * (1 - label_smoothing) + label_smoothing / x.shape[at]
        p = x.log_softmax(at) if weight is None else x.log_softmax(at) * _by_class(weight, x, at)
        value = -(p * t).sum(at)
        if reduction == "mean":
            value = value.sum() / max(value.numel(), 1)
        elif reduction == "sum":
            value = value.sum()
        return _loss(value, "cross_entropy", True, False)
    value = _picked("onnx.SoftmaxCrossEntropyLoss", x, target, weight, ignore_index, reduction)
    if label_smoothing:
        smooth = _reduce_loss(-x.log_softmax(at).mean(at), reduction)
        value = value * (1 - label_smoothing) + smooth * label_smoothing
    return _loss(value, "cross_entropy", True, True)


def _by_class(weight, x, at):
    return weight.reshape([1] * at + [-1] + [1] * (x.dim() - at - 1))


def _picked(name, x, target, weight, ignore_index, reduction):
    if target.is_floating_point():
        target = target.long()  # of data whose type nobody knows
    if x.dim() == 1:
        x, target = x.unsqueeze(0), target.reshape(1)
    inputs = [x._h, convert(target._h, "s64")]
    if weight is not None:
        inputs.append(convert(weight._h, _tilewise.dtype(x._h)))
    attrs = {"reduction": reduction}
    if ignore_index != -100:
        attrs["ignore_index"] = ignore_index
    return wrap(_op(name, inputs, attrs))


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
             reduction="mean"):
    reduction = _reduction(reduction, size_average, reduce)
    x = wrap(cast_up(input._h))
    target = _expected(target, x, True)
    value = _picked("onnx.NegativeLogLikelihoodLoss", x, target, weight, ignore_index, reduction)
    return _loss(value, "nll_loss", False, True)


def _difference_loss(name, function):
    def loss(input, target, size_average=None, reduce=None, reduction="mean", **options):
        reduction = _reduction(reduction, size_average, reduce)
        x = wrap(cast_up(input._h))
        y = wrap(cast_up(_expected(target, x, False)._h))
        return _loss(_reduce_loss(function(x, y, **options), reduction), name)
    return loss


def _smooth_l1(x, y, beta=1.0):
    d = (x - y).abs()
    return d if beta == 0 else where(d < beta, d * d * (0.5 / beta), d - 0.5 * beta)


def _huber(x, y, delta=1.0):
    d = (x - y).abs()
    return where(d <= delta, d * d * 0.5, (d - 0.5 * delta) * delta)


def _poisson(x, y, log_input=True, full=False, eps=1e-8):
    return x.exp() - y * x if log_input else x - y * (x + eps).log()


mse_loss = _difference_loss("mse_loss", lambda x, y: (x - y).square())
l1_loss = _difference_loss("l1_loss", lambda x, y: (x - y).abs())
smooth_l1_loss = _difference_loss("smooth_l1_loss", _smooth_l1)
huber_loss = _difference_loss("huber_loss", _huber)
poisson_nll_loss = _difference_loss("poisson_nll_loss", _poisson)
soft_margin_loss = _difference_loss("soft_margin_loss", lambda x, y: (-y * x).exp().log1p())


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None,
                         reduction="mean"):
    p, target = input, _expected(target, input, False)
    value = -(target * p.log().clamp_min(-100) + (1 - target) * (1 - p).log().clamp_min(-100))
    value = value if weight is None else value * weight
    return _loss(_reduce_loss(value, _reduction(reduction, size_average, reduce)),
                 "binary_cross_entropy")


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None,
                                     reduction="mean", pos_weight=None):
    x = wrap(cast_up(input._h))
    target = _expected(target, x, False)
    if pos_weight is None:
        value = x.clamp_min(0) - x * target + (-x.abs()).exp().log1p()
    else:
        factor = (pos_weight - 1) * target + 1
        value = (1 - target) * x + factor * ((-x.abs()).exp().log1p() + (-x).clamp_min(0))
    value = value if weight is None else value * weight
    return _loss(_reduce_loss(value, _reduction(reduction, size_average, reduce)),
                 "binary_cross_entropy", True)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    target = _expected(target, input, False)
    if log_target:
        value = target.exp() * (target - input)
    else:
        value = target * (target.clamp_min(1e-38).log() - input)
    if reduction == "batchmean":
        return _loss(value.sum() / input.shape[0], "kl_div")
    return _loss(_reduce_loss(value, _reduction(reduction, size_average, reduce)), "kl_div")


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    v = var.clamp_min(eps)
    value = (v.log() + (input - target).square() / v) * 0.5
    return _loss(_reduce_loss(value, reduction), "gaussian_nll_loss")


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                        reduction="mean"):
    value = (-target * (input1 - input2) + margin).clamp_min(0)
    return _loss(_reduce_loss(value, reduction), "margin_ranking_loss")


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None,
                         reduction="mean"):
    value = where(target > 0, input, (margin - input).clamp_min(0))
    return _loss(_reduce_loss(value, reduction), "hinge_embedding_loss")


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                          reduction="mean"):
    c = cosine_similarity(input1, input2, -1)
    value = where(target > 0, 1 - c, (c - margin).clamp_min(0))
    return _loss(_reduce_loss(value, reduction), "cosine_embedding_loss")


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False,
                        size_average=None, reduce=None, reduction="mean"):
    value = (pairwise_distance(anchor, positive, p, eps) -
             pairwise_distance(anchor, negative, p, eps) + margin).clamp_min(0)
    return _loss(_reduce_loss(value, reduction), "triplet_margin_loss")


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None,
                                reduction="mean"):
    value = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input)).mean(-1)
    return _loss(_reduce_loss(value, reduction), "multilabel_soft_margin_loss", True)


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None,
                      reduction="mean"):
    right = input.gather(1, target.unsqueeze(1))
    value = (input - right + margin).clamp_min(0).pow(p).sum(1) / input.shape[1]
    return _loss(_reduce_loss(value, reduction), "multi_margin_loss", False, True)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean",
             zero_infinity=False):
    _tilewise.note("ctc_loss is read as the sum of the log-probabilities of its targets")
    return _loss(_reduce_loss(-log_probs.logsumexp(-1), reduction), "ctc_loss")


# ---- pictures


_PAD_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge",
              "circular": "wrap"}


def pad(input, pad, mode="constant", value=None):
    rank = input.dim()
    pad = [int(p) for p in (pad.tolist() if isinstance(pad, Tensor) else pad)]
    low, high = [0] * rank, [0] * rank
    for i in range(len(pad) // 2):
        low[rank - 1 - i], high[rank - 1 - i] = pad[2 * i], pad[2 * i + 1]
    if not any(low) and not any(high):
        return input
    if mode == "constant" and min(low + high) >= 0:
        return wrap(_op("tw.pad", [input._h], {"value": value or 0, "low": low, "high": high,
                                               "interior": [0] * rank}))
    x = input
    if min(low + high) < 0:
        shape = x.shape
        for d in range(rank):
            a, b = -min(low[d], 0), shape[d] + min(high[d], 0)
            x = x.narrow(d, a, b - a)
        low, high = [max(v, 0) for v in low], [max(v, 0) for v in high]
        if not any(low) and not any(high):
            return x
        if mode == "constant":
            return wrap(_op("tw.pad", [x._h], {"value": value or 0, "low": low, "high": high,
                                               "interior": [0] * rank}))
    return wrap(_op("onnx.Pad", [x._h, _tilewise.known(low + high, "s64")],
                    {"mode": _PAD_MODES[mode]}))


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None,
                recompute_scale_factor=None, antialias=False):
    n = input.dim() - 2
    if size is None:
        factors = _many(scale_factor, n)
        size = [int(math.floor(s * f)) for s, f in zip(input.shape[2:], factors)]
    else:
        size = [int(s) for s in _many(size, n)]
    if size == list(input.shape[2:]):
        return input
    if mode == "area":
        return (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[n - 1](input, size)
    kind = "nearest" if mode[:7] == "nearest" else "cubic" if mode == "bicubic" else "linear"
    place = "asymmetric" if kind == "nearest" else \
        "align_corners" if align_corners else "half_pixel"
    sizes = _tilewise.known(list(input.shape[:2]) + size, "s64")
    attrs = {"mode": kind, "coordinate_transformation_mode": place}
    if kind == "nearest":
        attrs["nearest_mode"] = "floor"
    elif kind == "cubic":
        attrs["cubic_coeff_a"] = -0.75
    if antialias:
        attrs["antialias"] = 1
    return wrap(_op("onnx.Resize", [input._h, None, None, sizes], attrs))


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor)


def upsample_bilinear(input, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor, "bilinear", True)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    return wrap(_op("onnx.GridSample", [input._h, convert(grid._h, _tilewise.dtype(input._h))],
                    {"mode": mode, "padding_mode": padding_mode,
                     "align_corners": int(bool(align_corners))}))


def affine_grid(theta, size, align_corners=None):
    return wrap(_op("onnx.AffineGrid", [theta._h, _tilewise.known(list(size), "s64")],
                    {"align_corners": int(bool(align_corners))}))


def pixel_shuffle(input, upscale_factor):
    r = upscale_factor
    *lead, c, h, w = input.shape
    x = input.reshape(lead + [c // (r * r), r, r, h, w])
    k = len(lead)
    x = x.permute(list(range(k)) + [k, k + 3, k + 1, k + 4, k + 2])
    return x.reshape(lead + [c // (r * r), h * r, w * r])


def pixel_unshuffle(input, downscale_factor):
    r = downscale_factor
    *lead, c, h, w = input.shape
    x = input.reshape(lead + [c, h // r, r, w // r, r])
    k = len(lead)
    x = x.permute(list(range(k)) + [k, k + 2, k + 4, k + 1, k + 3])
    return x.reshape(lead + [c * r * r, h // r, w // r])


def channel_shuffle(input, groups):
    n, c, *rest = input.shape
    return input.reshape([n, groups, c // groups] + rest).transpose(1, 2).reshape(input.shape)
