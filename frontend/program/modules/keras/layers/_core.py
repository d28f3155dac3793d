"""Dense layers, embeddings, and layers of one function."""

import _tilewise
import _tilewise as _t
import _python
from keras import _node, activations, constraints, initializers, regularizers
from keras._layer import Layer
from keras._leaf import FLOATS, code, code_of, compare, dims, mul, op, put, reduce, wrap
from tensorflow._public import state

_linear = activations.linear


class Leaf(Layer):
    """A layer of Keras."""

    def _starts(self, kernel, bias, *others):
        """What the weights `kernel` and `bias` start with, cost and keep to."""
        self.kernel_initializer = initializers.get(kernel)
        self.bias_initializer = initializers.get(bias)
        get, keep = regularizers.get, constraints.get
        self.kernel_regularizer, self.bias_regularizer = get(others[0]), get(others[1])
        self.kernel_constraint, self.bias_constraint = keep(others[2]), keep(others[3])


def weight_of(layer, name, shape, part=None, trainable=True):
    """A weight with the initializer, regularizer and constraint of `part`."""
    part = part or name
    return layer.add_weight(
        name=name, shape=tuple(shape), initializer=getattr(layer, part + "_initializer", None),
        regularizer=getattr(layer, part + "_regularizer", None),
        constraint=getattr(layer, part + "_constraint", None), trainable=trainable)


class Dense(Leaf):
    def __init__(self, units, activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros",
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, bias_constraint=None, lora_rank=None, **kwargs):
        Layer.__init__(self, activity_regularizer=activity_regularizer, **kwargs)
        self._starts(kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                  kernel_constraint, bias_constraint)
        self.units, self.use_bias = units, use_bias
        self.activation = activations.get(activation)
        self.lora_rank, self.bias, self.supports_masking = lora_rank, None, True

    def build(self, input_shape):
        n = input_shape[-1]
        if n is None:
            raise ValueError("The last dimension of the inputs to a Dense layer should be "
                             "defined. Found None.")
        self.kernel = weight_of(self, "kernel", (n, self.units))
        self.bias = weight_of(self, "bias", (self.units,)) if self.use_bias else None
        self.built = True
        if self.lora_rank:
            self.enable_lora(self.lora_rank)

    def enable_lora(self, rank, *args, **kwargs):
        _enable_lora(self, "kernel", rank)

    def call(self, inputs, training=None):
        h = inputs._h
        d = code(h)
        k = self.kernel._h
        if code(k) != d:
            h, k, d = _alike(h, k)
        y = op("tw.dot_general", [h, _with_lora(self, "kernel", k)], {
            "lhs_contract": [len(dims(h)) - 1], "rhs_contract": [0]})
        bias = self.bias
        if bias is not None:
            y = op("tw.binary", [y, put(bias._h, d)], {"kind": "add"})
        y = wrap(y)
        return y if self.activation in (_linear, None) else self.activation(y)

    def compute_output_shape(self, input_shape):
        return tuple(input_shape[:-1]) + (self.units,)


def _enable_lora(layer, name, rank):
    """Two thin matrices whose product is added to a weight; they are trained in its place."""
    held = getattr(layer, name)
    shape = tuple(dims(held._h))
    for part, sizes in (("_a", shape[:-1] + (rank,)), ("_b", (rank, shape[-1]))):
        setattr(layer, "lora_" + name + part,
                layer.add_weight(name="lora_" + name + part, shape=sizes))
    held._trainable = False
    _tilewise.set_trainable(held._h, False)
    layer.lora_rank = rank


def _with_lora(layer, name, h):
    """The weight as it is used: Keras adds the product to it, before it meets the data."""
    if not layer.lora_rank:
        return h
    a, b = [put(getattr(layer, "lora_" + name + part)._h, code(h)) for part in ("_a", "_b")]
    low = op("tw.dot_general", [a, b], {"lhs_contract": [len(dims(a)) - 1], "rhs_contract": [0]})
    return op("tw.binary", [h, low], {"kind": "add"})


def _alike(h, k):
    """Both in the type of the input; integers become what the kernel is."""
    d = code(h)
    if d not in FLOATS:
        d = state.autocast or code(k)
        h = put(h, d)
    return h, put(k, d), d


class EinsumDense(Leaf):
    def __init__(self, equation, output_shape, activation=None, bias_axes=None,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros",
                 kernel_regularizer=None, bias_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, lora_rank=None, activity_regularizer=None, **kwargs):
        Layer.__init__(self, activity_regularizer=activity_regularizer, **kwargs)
        self.equation = equation.replace(" ", "")
        self.partial_output_shape = (output_shape,) if isinstance(output_shape, int) \
            else tuple(output_shape)
        self.bias_axes, self.activation = bias_axes, activations.get(activation)
        self._starts(kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                  kernel_constraint, bias_constraint)
        self.lora_rank, self.bias = lora_rank, None

    def build(self, input_shape):
        kernel, bias, self.full_output_shape = einsum_shapes(
            self.equation, self.bias_axes, tuple(input_shape), self.partial_output_shape)
        self.kernel = weight_of(self, "kernel", kernel)
        self.bias = weight_of(self, "bias", bias) if bias is not None else None
        self.built = True
        if self.lora_rank:
            self.enable_lora(self.lora_rank)

    def enable_lora(self, rank, *args, **kwargs):
        _enable_lora(self, "kernel", rank)

    def call(self, inputs, training=None):
        h, k, d = _alike(inputs._h, self.kernel._h)
        y = op("tw.einsum", [h, _with_lora(self, "kernel", k)], {"equation": self.equation})
        if self.bias is not None:
            y = op("tw.binary", [y, put(self.bias._h, d)], {"kind": "add"})
        y = wrap(y)
        return y if self.activation in (_linear, None) else self.activation(y)


def einsum_shapes(equation, bias_axes, input_shape, output_shape):
    """The shapes of the kernel, the bias and the result."""
    left, out = equation.split("->")
    inp, ker = left.split(",")
    size = {}
    given = list(output_shape)
    if inp.startswith("..."):
        inp, out = inp[3:], out[3:]
        lead = list(input_shape[:len(input_shape) - len(inp)])
        _match(size, inp, input_shape[len(input_shape) - len(inp):])
        fitted = ([None] * len(out) + given)[-len(out):]
        tail = []
    elif inp.endswith("..."):
        inp, out = inp[:-3], out[:-3]
        lead, tail = [], list(input_shape[len(inp):])
        _match(size, inp, input_shape[:len(inp)])
        fitted = ([input_shape[0]] + given)[:len(out)]
    else:
        lead, tail = [], []
        _match(size, inp, input_shape)
        fitted = [input_shape[0]] + given
    for letter, n in zip(out, fitted):
        if size.get(letter) is None and n is not None:
            size[letter] = n
    kernel = [size.get(letter) for letter in ker]
    if None in kernel:
        raise ValueError("Weight dimension of '" + equation + "' did not have a match in either "
                         "the input spec or the output spec.")
    bias = None
    if bias_axes:
        first = min([out.index(letter) for letter in bias_axes])
        bias = [size[letter] if letter in bias_axes else 1 for letter in out[first:]]
        bias += [1] * len(tail)
    return kernel, bias, tuple(lead + [size.get(letter) for letter in out] + tail)


def _match(size, letters, shape):
    for letter, n in zip(letters, shape):
        size[letter] = n


class Embedding(Leaf):
    def __init__(self, input_dim, output_dim, embeddings_initializer="uniform",
                 embeddings_regularizer=None, embeddings_constraint=None, mask_zero=False,
                 weights=None, lora_rank=None, input_length=None, activity_regularizer=None,
                 sparse=False, **kwargs):
        if input_length is not None and "input_shape" not in kwargs:
            kwargs["input_shape"] = (input_length,) if isinstance(input_length, int) \
                else tuple(input_length)
        Layer.__init__(self, activity_regularizer=activity_regularizer, **kwargs)
        self.input_dim, self.output_dim, self.mask_zero = input_dim, output_dim, mask_zero
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        self.embeddings_regularizer = regularizers.get(embeddings_regularizer)
        self.embeddings_constraint = constraints.get(embeddings_constraint)
        self.input_length, self.supports_masking = input_length, bool(mask_zero)
        self.autocast, self.lora_rank = False, lora_rank

    def build(self, input_shape=None):
        self.embeddings = weight_of(self, "embeddings", (self.input_dim, self.output_dim))
        self.built = True
        if self.lora_rank:
            self.enable_lora(self.lora_rank)

    def enable_lora(self, rank, *args, **kwargs):
        _enable_lora(self, "embeddings", rank)

    def call(self, inputs):
        h = inputs._h
        c = code(h)
        if c != "s32" and c != "s64":
            h = put(h, "s32")
        y = op("tw.take", [self.embeddings._h, h], {"axis": 0})
        if self.lora_rank:
            low = op("tw.take", [self.lora_embeddings_a._h, h], {"axis": 0})
            y = op("tw.binary", [y, op("tw.matmul", [low, self.lora_embeddings_b._h])],
                   {"kind": "add"})
        return wrap(put(y, code_of(self.compute_dtype)))

    def compute_mask(self, inputs, mask=None):
        return wrap(compare("NE", inputs._h, 0)) if self.mask_zero else None

    def compute_output_shape(self, input_shape):
        return tuple(input_shape) + (self.output_dim,)


class ReversibleEmbedding(Embedding):
    """Also from vectors to a score of each token."""

    def __init__(self, input_dim, output_dim, tie_weights=True, logit_soft_cap=None, **kwargs):
        kwargs.pop("reverse_dtype", None)
        Embedding.__init__(self, input_dim, output_dim, **kwargs)
        self.tie_weights, self.logit_soft_cap = tie_weights, logit_soft_cap

    def build(self, input_shape=None):
        Embedding.build(self, input_shape)
        if not self.tie_weights:
            self.reverse_embeddings = weight_of(self, "reverse_embeddings",
                                                (self.output_dim, self.input_dim), "embeddings")

    def call(self, inputs, reverse=False):
        if not reverse:
            return Embedding.call(self, inputs)
        h = inputs._h
        k = put((self.embeddings if self.tie_weights else self.reverse_embeddings)._h, code(h))
        y = op("tw.dot_general", [h, k], {"lhs_contract": [len(dims(h)) - 1],
                                          "rhs_contract": [1 if self.tie_weights else 0]})
        if self.logit_soft_cap:
            y = mul(op("tw.unary", [mul(y, 1.0 / self.logit_soft_cap)], {"kind": "tanh"}),
                    float(self.logit_soft_cap))
        return wrap(y)


class RandomFourierFeatures(Leaf):
    """Cosines of a random projection."""

    def __init__(self, output_dim, kernel_initializer="gaussian", scale=None, trainable=False,
                 name=None, **kwargs):
        Layer.__init__(self, name=name, trainable=trainable, **kwargs)
        self.output_dim, self.scale = output_dim, scale
        self.kernel_initializer = kernel_initializer

    def build(self, input_shape):
        n = self.output_dim
        self.unscaled_kernel = self.add_weight(name="unscaled_kernel", trainable=False,
                                               shape=(input_shape[-1], n))
        self.bias = self.add_weight(name="bias", shape=(n,), trainable=False)
        self.kernel_scale = self.add_weight(name="kernel_scale", shape=(1,),
                                            trainable=self.trainable)
        self.built = True

    def call(self, inputs):
        h = inputs._h
        k = mul(put(self.unscaled_kernel._h, code(h)), put(self.kernel_scale._h, code(h)))
        y = op("tw.dot_general", [h, k], {"lhs_contract": [len(dims(h)) - 1],
                                          "rhs_contract": [0]})
        y = op("tw.binary", [y, put(self.bias._h, code(h))], {"kind": "add"})
        return wrap(op("tw.unary", [y], {"kind": "cos"}))


class Identity(Leaf):
    def __init__(self, **kwargs):
        Layer.__init__(self, **kwargs)
        self.supports_masking = True

    def call(self, inputs):
        return inputs


class ActivityRegularization(Leaf):
    def __init__(self, l1=0.0, l2=0.0, **kwargs):
        Layer.__init__(self, activity_regularizer=regularizers.L1L2(l1, l2), **kwargs)
        self.l1, self.l2, self.supports_masking = l1, l2, True

    def call(self, inputs):
        return inputs


def _is_open(inputs):
    """Whether some size besides the batch is not known."""
    return any([None in _t.open_shape(t._h)[1:] for t in _node.flat(inputs)])


class Lambda(Leaf):
    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        Layer.__init__(self, **kwargs)
        self.function, self._output_shape, self.mask = function, output_shape, mask
        self.arguments = arguments or {}
        names = [row[0] for row in _python.signature(function)]
        self._takes_training, self._takes_mask = "training" in names, "mask" in names
        self.supports_masking = mask is not None

    def call(self, inputs, mask=None, training=None):
        given = dict(self.arguments)
        if self._takes_training:
            given["training"] = training
        if self._takes_mask:
            given["mask"] = mask
        if self._output_shape is None or callable(self._output_shape) or not _is_open(inputs):
            return self.function(inputs, **given)
        try:
            return self.function(inputs, **given)
        except Exception:
            # Sizes that are not known yet do not fit each other; the shape is given.
            first = _node.flat(inputs)[0]._h
            rows = [_t.shape(first)[0]] if _t.shape(first) else []
            sizes = self._output_shape
            sizes = [sizes] if isinstance(sizes, int) else list(sizes)
            return wrap(_t.input(rows + [_t.open_dim() if d is None else d for d in sizes],
                                 "f32", "", None))

    def compute_mask(self, inputs, mask=None):
        return self.mask(inputs, mask) if callable(self.mask) else self.mask


class Masking(Leaf):
    def __init__(self, mask_value=0.0, **kwargs):
        Layer.__init__(self, **kwargs)
        self.mask_value, self.supports_masking = mask_value, True

    def compute_mask(self, inputs, mask=None):
        return wrap(reduce("any", compare("NE", inputs._h, self.mask_value), -1))

    def call(self, inputs):
        h = inputs._h
        kept = reduce("any", compare("NE", h, self.mask_value), -1, True)
        return wrap(mul(h, put(kept, code(h))))
