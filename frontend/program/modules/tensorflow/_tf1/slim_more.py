"""The rest of tf.contrib.layers: repetition, regularizers, initializers, one-hot vectors."""

import _tilewise as _t
from tensorflow._tensor import Tensor, handle, wrap
from tensorflow._tf1 import graph as _g
from tensorflow._tf1 import initializers as _init
from tensorflow._tf1 import leaf as L
from tensorflow._tf1.arg_scope import add_arg_scope
from tensorflow._tf1.scopes import get_variable, variable_scope


def repeat(inputs, repetitions, layer, *args, **kwargs):
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        scope = scope or getattr(layer, "__name__", "repeat")
        y = inputs
        for i in range(repetitions):
            kwargs["scope"] = scope + "_" + str(i + 1)
            y = layer(y, *args, **kwargs)
        return y


def stack(inputs, layer, stack_args, **kwargs):
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Stack", [inputs]):
        scope = scope or getattr(layer, "__name__", "stack")
        y = inputs
        for i, args in enumerate(stack_args):
            kwargs["scope"] = scope + "_" + str(i + 1)
            if not isinstance(args, (list, tuple)):
                args = [args]
            y = layer(y, *args, **kwargs)
        return y


def _regularizer(kind):
    def make(scale, scope=None):
        def of(weights, name=None):
            if isinstance(scale, (int, float)) and scale == 0:
                return None
            h = L.convert(handle(weights), "f32")
            if kind == "l2":
                total = L.scaled(L.reduce("sum", L.op("tw.unary", [h], {"kind": "square"})), 0.5)
            else:
                total = L.reduce("sum", L.op("tw.unary", [h], {"kind": "abs"}))
            return wrap(total) * scale
        return of
    return make


l1_regularizer, l2_regularizer = _regularizer("l1"), _regularizer("l2")


def l1_l2_regularizer(scale_l1=1.0, scale_l2=1.0, scope=None):
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)])


def sum_regularizer(regularizer_list, scope=None):
    def of(weights):
        total = None
        for r in regularizer_list:
            part = r(weights)
            if part is not None:
                total = part if total is None else total + part
        return total
    return of


def apply_regularization(regularizer, weights_list=None):
    if weights_list is None:
        weights_list = _g.trainable_variables()
    total = wrap(_t.known(0.0, "f32"))
    for w in weights_list:
        loss = regularizer(w)
        if loss is not None:
            _g.add_to_collection("regularization_losses", loss)
            total = total + loss
    return total


def xavier_initializer(uniform=True, seed=None, dtype=None):
    return _init.glorot_uniform()


xavier_initializer_conv2d = xavier_initializer


def variance_scaling_initializer(factor=2.0, mode="FAN_IN", uniform=False, seed=None, dtype=None):
    return _init.variance_scaling(factor, mode)


@add_arg_scope
def one_hot_encoding(labels, num_classes, on_value=1.0, off_value=0.0, outputs_collections=None,
                     scope=None):
    h = handle(labels)
    if _t.is_unknown(h):
        return h
    return wrap(L.op("tw.one_hot", [h], {"depth": int(num_classes), "axis": -1, "on": 1,
                                         "off": 0, "dtype": "f32"}))


@add_arg_scope
def bias_add(inputs, activation_fn=None, initializer=None, regularizer=None, reuse=None,
             trainable=True, scope=None, **kw):
    x = handle(inputs)
    with variable_scope(scope, "BiasAdd", [inputs], reuse=reuse):
        b = get_variable("biases", [L.dims(x)[-1]], trainable=trainable)
        y = wrap(L.bias(x, handle(b)))
        return y if activation_fn is None else activation_fn(y)


def embed_sequence(ids, vocab_size=None, embed_dim=None, unique=False, initializer=None,
                   regularizer=None, trainable=True, scope=None, reuse=None):
    with variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        table = get_variable("embeddings", [vocab_size, embed_dim], trainable=trainable)
        return wrap(L.op("tw.take", [handle(table), handle(ids)], {"axis": 0}))



def softmax(logits, scope=None):
    return wrap(L.op("tw.softmax", [handle(logits)], {"dim": -1}))


def unit_norm(inputs, dim, epsilon=1e-7, scope=None):
    return wrap(L.op("tw.unit_length", [handle(inputs)], {"dim": dim}))


def maxout(inputs, num_units, axis=-1, scope=None):
    h = handle(inputs)
    sizes = list(L.dims(h))
    axis %= len(sizes)
    sizes[axis:axis + 1] = [num_units, sizes[axis] // num_units]
    return wrap(L.reduce("max", L.op("tw.reshape", [h], {"shape": sizes}), [axis + 1]))


def optimize_loss(loss, global_step, learning_rate, optimizer, gradient_noise_scale=None,
                  gradient_multipliers=None, clip_gradients=None, learning_rate_decay_fn=None,
                  update_ops=None, variables=None, name=None, summaries=None, **kw):
    from tensorflow._tf1 import optimizers as _o
    if isinstance(optimizer, str):
        optimizer = {"SGD": _o.GradientDescentOptimizer, "Adam": _o.AdamOptimizer,
                     "Adagrad": _o.AdagradOptimizer, "RMSProp": _o.RMSPropOptimizer,
                     "Ftrl": _o.FtrlOptimizer,
                     "Momentum": lambda learning_rate: _o.MomentumOptimizer(learning_rate, 0.9)
                     }.get(optimizer, _o.GradientDescentOptimizer)
    made = optimizer if isinstance(optimizer, _o.Optimizer) else optimizer(
        learning_rate=learning_rate) if isinstance(optimizer, type) else optimizer(learning_rate)
    made.minimize(loss, global_step, variables)
    y = wrap(handle(loss))
    _g.get_default_graph().trained.append(y)
    return y


def summarize_collection(*args, **kw):
    return None


summarize_tensor = summarize_tensors = summarize_activation = summarize_collection
summarize_activations = summarize_collection


def is_tensor(x):
    return isinstance(x, Tensor)
