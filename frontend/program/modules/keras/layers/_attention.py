"""Attention."""

from keras._layer import Layer
from keras._leaf import (add, code, compare, dims, dot, einsum, expand, mul, op, product, put,
                         reduce, reshape, unary, wrap)
from keras.layers._activation import masked
from keras.layers._core import EinsumDense, Leaf

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def causal(rows, columns):
    """pred[1, rows, columns]: which earlier places each place sees."""
    i = op("tw.iota", [], {"shape": [1, rows, columns], "dim": 1, "dtype": "s32"})
    j = op("tw.iota", [], {"shape": [1, rows, columns], "dim": 2, "dtype": "s32"})
    return compare("GE", i, j)


def _product(a, b, turned=False):
    """Of each matrix with the one beside it; one matrix may stand for a batch."""
    if dims(a)[0] == dims(b)[0]:
        return dot(a, b, [2], [2 if turned else 1], [0], [0])
    return op("tw.matmul", [a, b], {"transpose_y": turned})


class Attention(Leaf):
    def __init__(self, use_scale=False, score_mode="dot", dropout=0.0, seed=None, causal=False,
                 **kwargs):
        Layer.__init__(self, **kwargs)
        self.use_scale, self.score_mode, self.dropout = use_scale, score_mode, dropout
        self.seed, self._causal = seed, causal
        self.scale = self.concat_score_weight = None
        self.supports_masking = True

    def build(self, input_shape):
        if self.use_scale:
            self.scale = self.add_weight(name="scale", shape=(), initializer="ones")
        if self.score_mode == "concat":
            self.concat_score_weight = self.add_weight(name="concat_score_weight", shape=())
        self.built = True

    def _scores(self, q, k):
        if self.score_mode == "concat":
            s = self._pairs(q, k, self.scale)
            s = reduce("sum", s, -1)
            return mul(s, put(self.concat_score_weight._h, code(s)))
        s = _product(q, k, True)
        return s if self.scale is None else mul(s, put(self.scale._h, code(s)))

    def _pairs(self, q, k, scale):
        """tanh of the sums of all pairs."""
        s = add(expand(q, 2), expand(k, 1))
        if scale is not None and self.score_mode == "concat":
            s = mul(s, put(scale._h, code(s)))
        return unary("tanh", s)

    def call(self, inputs, mask=None, training=None, return_attention_scores=False,
             use_causal_mask=False):
        q, v = inputs[0]._h, inputs[1]._h
        k = inputs[2]._h if len(inputs) > 2 else v
        s = self._scores(q, k)
        masks = list(mask) if isinstance(mask, (list, tuple)) else [None, None]
        if len(masks) > 1 and masks[1] is not None:
            s = masked(s, expand(put(masks[1]._h, "pred"), 1))
        if use_causal_mask or self._causal:
            s = masked(s, causal(dims(s)[1], dims(s)[2]))
        w = op("tw.softmax", [s], {"dim": -1})
        if training and self.dropout:
            w = op("tw.dropout", [w], {"rate": float(self.dropout)})
        y = _product(w, v)
        if masks and masks[0] is not None:
            y = mul(y, put(expand(masks[0]._h, 2), code(y)))
        return (wrap(y), wrap(w)) if return_attention_scores else wrap(y)

    def compute_mask(self, inputs, mask=None):
        return mask[0] if isinstance(mask, (list, tuple)) and mask else None

    def compute_output_shape(self, input_shape):
        return tuple(input_shape[0][:-1]) + (input_shape[1][-1],)


class AdditiveAttention(Attention):
    def __init__(self, use_scale=True, dropout=0.0, **kwargs):
        Attention.__init__(self, use_scale=use_scale, dropout=dropout, **kwargs)

    def build(self, input_shape):
        if self.use_scale:
            self.scale = self.add_weight(name="scale", shape=(input_shape[0][-1],),
                                         initializer="glorot_uniform")
        self.built = True

    def _scores(self, q, k):
        s = self._pairs(q, k, None)
        if self.scale is not None:
            s = mul(s, put(self.scale._h, code(s)))
        return reduce("sum", s, -1)


class MultiHeadAttention(Leaf):
    """Projections, two products of all pairs and a softmax between them."""

    def __init__(self, num_heads, key_dim, value_dim=None, dropout=0.0, use_bias=True,
                 output_shape=None, attention_axes=None, flash_attention=None,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros",
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, bias_constraint=None, seed=None, use_gate=False,
                 **kwargs):
        Layer.__init__(self, activity_regularizer=activity_regularizer, **kwargs)
        self.supports_masking = True
        self._num_heads, self._key_dim = num_heads, key_dim
        self._value_dim = value_dim or key_dim
        self._dropout, self._use_bias = dropout, use_bias
        self._output_shape = (output_shape,) if isinstance(output_shape, int) else \
            None if output_shape is None else tuple(output_shape)
        self._attention_axes = (attention_axes,) if isinstance(attention_axes, int) else \
            None if attention_axes is None else tuple(attention_axes)
        self._inverse = float(key_dim) ** -0.5
        self._common = dict(kernel_initializer=kernel_initializer,
                            bias_initializer=bias_initializer,
                            kernel_regularizer=kernel_regularizer,
                            bias_regularizer=bias_regularizer,
                            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint)

    num_heads = property(lambda self: self._num_heads)
    key_dim = property(lambda self: self._key_dim)
    value_dim = property(lambda self: self._value_dim)
    dropout = property(lambda self: self._dropout)
    use_bias = property(lambda self: self._use_bias)
    attention_axes = property(lambda self: self._attention_axes)
    query_dense = property(lambda self: self._query_dense)
    key_dense = property(lambda self: self._key_dense)
    value_dense = property(lambda self: self._value_dense)
    output_dense = property(lambda self: self._output_dense)

    def _projection(self, name, shape, size):
        """x [.., features] to [.., heads, size]."""
        free = _LETTERS[:len(shape) - 1]
        layer = EinsumDense(free + "x,xyz->" + free + "yz",
                            tuple(shape[1:-1]) + (self._num_heads, size),
                            bias_axes="yz" if self._use_bias else None, name=name,
                            dtype=self.dtype_policy, **self._common)
        layer.build(shape)
        return layer

    def build(self, query_shape, value_shape=None, key_shape=None):
        q = tuple(query_shape)
        v = q if value_shape is None else tuple(value_shape)
        k = v if key_shape is None else tuple(key_shape)
        self._query_dense = self._projection("query", q, self._key_dim)
        self._key_dense = self._projection("key", k, self._key_dim)
        self._value_dense = self._projection("value", v, self._value_dim)
        rank = len(q)
        if self._attention_axes is None:
            self._attention_axes = tuple(range(1, rank - 1))
        else:
            self._attention_axes = tuple([a % rank for a in self._attention_axes])
        self._product, self._combine, self._softmax_axes = equations(
            rank + 1, self._attention_axes)
        self._built_output(q)
        self.built = True

    def _built_output(self, q):
        free = _LETTERS[:len(q) - 1]
        out = self._output_shape or (q[-1],)
        ends = "uvw"[:len(out)]
        self._output_dense = EinsumDense(
            free + "yz,yz" + ends + "->" + free + ends, tuple(q[1:-1]) + out,
            bias_axes=ends if self._use_bias else None, name="attention_output",
            dtype=self.dtype_policy, **self._common)
        self._output_dense.build(q[:-1] + (self._num_heads, self._value_dim))

    def _build_from_signature(self, query, value, key=None):
        if not self.built:
            # Tensors, or their shapes.
            self.build(*[getattr(v, "shape", v) for v in (query, value, key)])

    def _mask(self, query, value, key, query_mask, value_mask, key_mask, attention_mask,
              use_causal_mask):
        """pred[batch, rows, columns], or None."""
        parts = []
        if query_mask is not None:
            parts.append(expand(query_mask._h, -1))
        for m in (value_mask, key_mask):
            if m is not None:
                parts.append(expand(m._h, -2))
        if use_causal_mask:
            parts.append(causal(dims(query._h)[1], dims(value._h)[1]))
        if attention_mask is not None:
            given = put(attention_mask._h, "pred") if len(parts) else attention_mask._h
            if len(dims(given)) > 3:  # one with a dim for the heads
                parts = [expand(part, 1) for part in parts]
            parts.append(given)
        if not parts:
            return None
        y = parts[0]
        for part in parts[1:]:
            y = op("tw.binary", [y, part], {"kind": "and"})
        return y

    def call(self, query, value=None, key=None, query_mask=None, value_mask=None, key_mask=None,
             attention_mask=None, return_attention_scores=False, training=None,
             use_causal_mask=False):
        value = query if value is None else value
        key = value if key is None else key
        mask = self._mask(query, value, key, query_mask, value_mask, key_mask, attention_mask,
                          use_causal_mask)
        q, k, v = self._query_dense(query), self._key_dense(key), self._value_dense(value)
        y, scores = self._compute_attention(q, k, v, None if mask is None else wrap(mask),
                                            training)
        y = self._output_dense(y)
        return (y, scores) if return_attention_scores else y

    def _compute_attention(self, query, key, value, attention_mask=None, training=None,
                           return_attention_scores=False):
        s = einsum(self._product, key._h, mul(query._h, self._inverse))
        s = self._masked_softmax(wrap(s), attention_mask)._h
        w = s
        if training and self._dropout:
            w = op("tw.dropout", [s], {"rate": float(self._dropout)})
        return wrap(einsum(self._combine, w, value._h)), wrap(s)

    def _masked_softmax(self, scores, attention_mask=None):
        s = scores._h
        if attention_mask is not None:
            m = attention_mask._h
            shape = dims(m)
            lead = len(dims(s)) - len(shape)
            at = len(shape) - 2 * len(self._attention_axes)
            m = reshape(m, shape[:at] + (1,) * lead + shape[at:])
            s = masked(s, m)
        axes = self._softmax_axes
        if len(axes) == 1:
            return wrap(op("tw.softmax", [s], {"dim": axes[0]}))
        shape = dims(s)
        flat = reshape(s, shape[:axes[0]] + (product(shape[axes[0]:]),))
        return wrap(reshape(op("tw.softmax", [flat], {"dim": -1}), shape))

    def compute_mask(self, query, mask=None, **kwargs):
        return mask

    def compute_output_shape(self, query_shape, value_shape=None, key_shape=None):
        out = self._output_shape or (query_shape[-1],)
        return tuple(query_shape[:-1]) + tuple(out)


def equations(rank, axes):
    """Of keys and queries [.., heads, size] of `rank` dims: scores, and what they weight."""
    target = _LETTERS[:rank]
    batch = [i for i in range(rank - 1) if i not in axes]
    letters, source = rank, ""
    for i in range(rank):
        if i in batch or i == rank - 1:
            source += target[i]
        else:
            source += _LETTERS[letters]
            letters += 1
    scores = "".join([target[i] for i in batch] + [target[i] for i in axes]
                     + [source[i] for i in axes])
    n = len(scores)
    return (source + "," + target + "->" + scores, scores + "," + source + "->" + target,
            list(range(n - len(axes), n)))


class GroupQueryAttention(Leaf):
    """Several query heads share one head of keys and values."""

    def __init__(self, head_dim, num_query_heads, num_key_value_heads, dropout=0.0, use_bias=True,
                 flash_attention=None, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 seed=None, use_gate=False, **kwargs):
        Layer.__init__(self, activity_regularizer=activity_regularizer, **kwargs)
        self.supports_masking = True
        self.head_dim, self.num_query_heads = head_dim, num_query_heads
        self.num_key_value_heads, self.dropout, self.use_bias = (
            num_key_value_heads, dropout, use_bias)
        if num_query_heads % num_key_value_heads:
            raise ValueError("`num_query_heads` must be divisible by `num_key_value_heads`.")
        self.num_repeats = num_query_heads // num_key_value_heads
        self._common = dict(kernel_initializer=kernel_initializer,
                            bias_initializer=bias_initializer,
                            kernel_regularizer=kernel_regularizer,
                            bias_regularizer=bias_regularizer,
                            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint)

    def _projection(self, name, shape, heads):
        layer = EinsumDense("bqm,muh->bquh", (None, heads, self.head_dim),
                            bias_axes="uh" if self.use_bias else None, name=name,
                            dtype=self.dtype_policy, **self._common)
        layer.build(shape)
        return layer

    def build(self, query_shape, value_shape=None, key_shape=None):
        q = tuple(query_shape)
        v = q if value_shape is None else tuple(value_shape)
        k = v if key_shape is None else tuple(key_shape)
        self._query_dense = self._projection("query", q, self.num_query_heads)
        self._key_dense = self._projection("key", k, self.num_key_value_heads)
        self._value_dense = self._projection("value", v, self.num_key_value_heads)
        self._output_dense = EinsumDense(
            "bquh,uhm->bqm", (None, q[-1]), bias_axes="m" if self.use_bias else None,
            name="attention_output", dtype=self.dtype_policy, **self._common)
        self._output_dense.build((None, None, self.num_query_heads, self.head_dim))
        self.built = True

    def _repeated(self, h):
        if self.num_repeats == 1:
            return h
        n, t, u, d = dims(h)
        wide = op("tw.broadcast_in_dim", [reshape(h, (n, t, u, 1, d))], {
            "shape": [n, t, u, self.num_repeats, d]})
        return reshape(wide, (n, t, u * self.num_repeats, d))

    _mask = MultiHeadAttention._mask

    def call(self, query, value=None, key=None, query_mask=None, value_mask=None, key_mask=None,
             attention_mask=None, return_attention_scores=False, training=None,
             use_causal_mask=False):
        value = query if value is None else value
        key = value if key is None else key
        mask = self._mask(query, value, key, query_mask, value_mask, key_mask, attention_mask,
                          use_causal_mask)
        q = self._query_dense(query)._h
        k = self._repeated(self._key_dense(key)._h)
        v = self._repeated(self._value_dense(value)._h)
        s = einsum("bquh,bkuh->buqk", mul(q, float(self.head_dim) ** -0.5), k)
        if mask is not None:
            s = masked(s, expand(mask, 1) if len(dims(mask)) == 3 else mask)
        w = s = op("tw.softmax", [s], {"dim": -1})
        if training and self.dropout:
            w = op("tw.dropout", [s], {"rate": float(self.dropout)})
        y = self._output_dense(wrap(einsum("buqk,bkuh->bquh", w, v)))
        return (y, wrap(s)) if return_attention_scores else y

    def compute_mask(self, query, mask=None, **kwargs):
        return mask


GroupedQueryAttention = GroupQueryAttention
