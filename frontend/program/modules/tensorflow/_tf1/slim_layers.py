"""Layers of tf.contrib.layers and slim, whose arguments also come from arg_scope."""

import _tilewise as _t
from tensorflow._tensor import handle, wrap
from tensorflow._tf1 import graph as _g
from tensorflow._tf1 import leaf as L
from tensorflow._tf1 import functional_layers as _f
from tensorflow._tf1 import initializers as _init
from tensorflow._tf1.arg_scope import add_arg_scope
from tensorflow._tf1.scopes import model_variable, variable_scope

_unk = _t.is_unknown


def relu(x, name=None):
    return wrap(L.op("tw.unary", [handle(x)], {"kind": "relu"}))


def _weight(name, shape, x, initializer=None, regularizer=None, trainable=True, like=None,
            collections=None):
    from tensorflow._dtypes import BY_CODE
    kind = L.code(x) if like is None else like
    if isinstance(collections, dict):
        collections = collections.get(name)
    v = model_variable(name, shape, BY_CODE[kind], initializer, regularizer, trainable,
                       collections)
    return handle(v)


def _ended(h, outputs_collections, scope, normalizer_fn=None, normalizer_params=None,
           activation_fn=None):
    y = wrap(h)
    if normalizer_fn is not None:
        y = normalizer_fn(y, **(normalizer_params or {}))
    if activation_fn is not None:
        y = activation_fn(y)
    return _collected(y, outputs_collections, scope)


def _collected(y, outputs_collections, scope):
    if outputs_collections:
        name = getattr(scope, "name", "") or _g.get_default_graph().name_scope_now
        y.alias = name
        y.name = name + ":0"
        for key in [outputs_collections] if isinstance(outputs_collections, str) else \
                outputs_collections:
            _g.add_to_collection(key, y)
    return y


@add_arg_scope
def convolution(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None,
                rate=1, activation_fn=relu, normalizer_fn=None, normalizer_params=None,
                weights_initializer=None, weights_regularizer=None, biases_initializer=_init.zeros,
                biases_regularizer=None, reuse=None, variables_collections=None,
                outputs_collections=None, trainable=True, scope=None, groups=1, **kw):
    x = handle(inputs)
    if _unk(x):
        return x
    n = len(L.dims(x)) - 2
    first = L.first(data_format)
    with variable_scope(scope, "Conv", [inputs], reuse=reuse) as sc:
        channels = L.dims(x)[1 if first else -1]
        kernel = _weight("weights", L.many(kernel_size, n) + [channels, int(num_outputs)], x,
                         weights_initializer, weights_regularizer, trainable,
                         collections=variables_collections)
        y = L.conv(x, kernel, stride, padding, rate, first, None)
        if normalizer_fn is None and biases_initializer is not None:
            b = _weight("biases", [int(num_outputs)], x, None, biases_regularizer, trainable)
            y = L.bias(y, b, first)
        return _ended(y, outputs_collections, sc, normalizer_fn, normalizer_params, activation_fn)


conv2d = conv3d = conv1d = convolution2d = convolution3d = convolution


@add_arg_scope
def convolution2d_in_plane(inputs, kernel_size, stride=1, padding="SAME", activation_fn=relu,
                           scope=None, **kw):
    x = handle(inputs)
    with variable_scope(scope, "ConvInPlane", [inputs]):
        kernel = _weight("weights", L.many(kernel_size, 2) + [1, 1], x)
        return wrap(L.depthwise(x, L.op("tw.broadcast_in_dim", [kernel], {
            "shape": L.many(kernel_size, 2) + [L.dims(x)[-1], 1]}), stride, padding))


@add_arg_scope
def convolution2d_transpose(inputs, num_outputs, kernel_size, stride=1, padding="SAME",
                            data_format="NHWC", activation_fn=relu, normalizer_fn=None,
                            normalizer_params=None, weights_initializer=None,
                            weights_regularizer=None, biases_initializer=_init.zeros,
                            biases_regularizer=None, reuse=None, variables_collections=None,
                            outputs_collections=None, trainable=True, scope=None, **kw):
    x = handle(inputs)
    if _unk(x):
        return x
    n = len(L.dims(x)) - 2
    first = L.first(data_format)
    with variable_scope(scope, "Conv%dd_transpose" % n, [inputs], reuse=reuse) as sc:
        channels = L.dims(x)[1 if first else -1]
        kernel = _weight("weights", L.many(kernel_size, n) + [int(num_outputs), channels], x,
                         weights_initializer, weights_regularizer, trainable)
        y = L.conv_transpose(x, kernel, stride, padding, first)
        if normalizer_fn is None and biases_initializer is not None:
            b = _weight("biases", [int(num_outputs)], x, None, biases_regularizer, trainable)
            y = L.bias(y, b, first)
        return _ended(y, outputs_collections, sc, normalizer_fn, normalizer_params, activation_fn)


conv2d_transpose = conv3d_transpose = convolution2d_transpose


@add_arg_scope
def separable_convolution2d(inputs, num_outputs, kernel_size, depth_multiplier=1, stride=1,
                            padding="SAME", data_format="NHWC", rate=1, activation_fn=relu,
                            normalizer_fn=None, normalizer_params=None, weights_initializer=None,
                            pointwise_initializer=None, weights_regularizer=None,
                            biases_initializer=_init.zeros, biases_regularizer=None, reuse=None,
                            variables_collections=None, outputs_collections=None, trainable=True,
                            scope=None, pointwise_regularizer=None, **kw):
    x = handle(inputs)
    if _unk(x):
        return x
    first = L.first(data_format)
    with variable_scope(scope, "SeparableConv2d", [inputs], reuse=reuse) as sc:
        channels = L.dims(x)[1 if first else -1]
        multiplier = 1 if depth_multiplier is None else depth_multiplier
        deep = _weight("depthwise_weights", L.many(kernel_size, 2) + [channels, multiplier], x,
                       weights_initializer, weights_regularizer, trainable)
        y = L.depthwise(x, deep, stride, padding, rate, first)
        outputs = channels * multiplier
        if num_outputs is not None:
            outputs = int(num_outputs)
            flat = _weight("pointwise_weights", [1, 1, channels * multiplier, outputs], x,
                           pointwise_initializer, weights_regularizer, trainable)
            y = L.conv(y, flat, 1, "VALID", 1, first)
        if normalizer_fn is None and biases_initializer is not None:
            b = _weight("biases", [outputs], x, None, biases_regularizer, trainable)
            y = L.bias(y, b, first)
        return _ended(y, outputs_collections, sc, normalizer_fn, normalizer_params, activation_fn)


separable_conv2d = separable_convolution2d


@add_arg_scope
def fully_connected(inputs, num_outputs, activation_fn=relu, normalizer_fn=None,
                    normalizer_params=None, weights_initializer=None, weights_regularizer=None,
                    biases_initializer=_init.zeros, biases_regularizer=None, reuse=None,
                    variables_collections=None, outputs_collections=None, trainable=True,
                    scope=None, **kw):
    x = handle(inputs)
    if _unk(x):
        return x
    with variable_scope(scope, "fully_connected", [inputs], reuse=reuse) as sc:
        kernel = _weight("weights", [L.dims(x)[-1], int(num_outputs)], x, weights_initializer,
                         weights_regularizer, trainable)
        y = L.dense(x, kernel)
        if normalizer_fn is None and biases_initializer is not None:
            b = _weight("biases", [int(num_outputs)], x, None, biases_regularizer, trainable)
            y = L.bias(y, b)
        return _ended(y, outputs_collections, sc, normalizer_fn, normalizer_params, activation_fn)


def linear(*args, **kw):
    kw.setdefault("activation_fn", None)
    return fully_connected(*args, **kw)


@add_arg_scope
def batch_norm(inputs, decay=0.999, center=True, scale=False, epsilon=0.001, activation_fn=None,
               param_initializers=None, param_regularizers=None, updates_collections="update_ops",
               is_training=True, reuse=None, variables_collections=None, outputs_collections=None,
               trainable=True, batch_weights=None, fused=None, data_format="NHWC",
               zero_debias_moving_mean=False, scope=None, renorm=False, renorm_clipping=None,
               renorm_decay=0.99, adjustment=None, **kw):
    x = handle(inputs)
    if _unk(x):
        return x
    axis = 1 if L.first(data_format) else len(L.dims(x)) - 1
    size = L.dims(x)[axis]
    kind = "f32" if L.code(x) in ("bf16", "f16") else L.code(x)
    regularizers = param_regularizers or {}
    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as sc:
        beta = gamma = None
        if center:
            beta = _weight("beta", [size], x, None, regularizers.get("beta"), trainable, kind)
        if scale:
            gamma = _weight("gamma", [size], x, None, regularizers.get("gamma"), trainable, kind)
        mean = _weight("moving_mean", [size], x, None, None, False, kind)
        variance = _weight("moving_variance", [size], x, None, None, False, kind)
        training = _f.truth(is_training)
        y = L.batch_norm(x, gamma, beta, mean, variance, axis, epsilon, training, decay)
        if training and updates_collections:
            _g.add_to_collection(updates_collections, _g.Operation(name="AssignMovingAvg"))
        return _ended(y, outputs_collections, sc, None, None, activation_fn)


@add_arg_scope
def layer_norm(inputs, center=True, scale=True, activation_fn=None, reuse=None,
               variables_collections=None, outputs_collections=None, trainable=True,
               begin_norm_axis=1, begin_params_axis=-1, scope=None):
    x = handle(inputs)
    if _unk(x):
        return x
    rank = len(L.dims(x))
    shape = list(L.dims(x))[begin_params_axis % rank:]
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as sc:
        beta = _weight("beta", shape, x, None, None, trainable) if center else None
        gamma = _weight("gamma", shape, x, None, None, trainable) if scale else None
        axes = list(range(begin_norm_axis % rank, rank))
        if len(axes) == len(shape):
            y = L.op("tw.layer_norm", [x, gamma, beta], {"dims": axes, "epsilon": 1e-12})
        else:
            y = L.op("tw.layer_norm", [x, None, None], {"dims": axes, "epsilon": 1e-12})
            if gamma is not None:
                y = L.binary("multiply", y, gamma)
            if beta is not None:
                y = L.binary("add", y, beta)
        return _ended(y, outputs_collections, sc, None, None, activation_fn)


@add_arg_scope
def group_norm(inputs, groups=32, channels_axis=-1, reduction_axes=(-3, -2), center=True,
               scale=True, epsilon=1e-6, activation_fn=None, scope=None, reuse=None,
               trainable=True, outputs_collections=None, **kw):
    x = handle(inputs)
    size = L.dims(x)[channels_axis]
    with variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as sc:
        beta = _weight("beta", [size], x, None, None, trainable) if center else None
        gamma = _weight("gamma", [size], x, None, None, trainable) if scale else None
        y = L.op("tw.group_norm", [x, gamma, beta], {"groups": groups, "epsilon": epsilon,
                                                     "feature_dim": channels_axis})
        return _ended(y, outputs_collections, sc, None, None, activation_fn)


def instance_norm(inputs, center=True, scale=True, epsilon=1e-6, activation_fn=None,
                  data_format="NHWC", scope=None, **kw):
    x = handle(inputs)
    axis = 1 if L.first(data_format) else -1
    return group_norm(inputs, L.dims(x)[axis], axis, center=center, scale=scale, epsilon=epsilon,
                      activation_fn=activation_fn, scope=scope or "InstanceNorm")


def _pool2d(kind, name):
    def pool(inputs, kernel_size, stride=2, padding="VALID", data_format="NHWC",
             outputs_collections=None, scope=None):
        x = handle(inputs)
        if _unk(x):
            return x
        y = wrap(L.pool(kind, x, kernel_size, stride, padding, L.first(data_format)))
        return _collected(y, outputs_collections, _Named(scope or name))
    pool.__name__ = name
    return add_arg_scope(pool)


class _Named:
    def __init__(self, name):
        outer = _g.get_default_graph().name_scope_now
        self.name = outer + "/" + str(name) if outer else str(name)


max_pool2d, avg_pool2d = _pool2d("max", "MaxPool2D"), _pool2d("mean", "AvgPool2D")
max_pool3d, avg_pool3d = max_pool2d, avg_pool2d


@add_arg_scope
def dropout(inputs, keep_prob=0.5, noise_shape=None, is_training=True, outputs_collections=None,
            scope=None, seed=None):
    x = handle(inputs)
    if _unk(x):
        return x
    y = inputs
    if _f.truth(is_training):
        y = wrap(L.dropout(x, 1.0 - _f.number(keep_prob, 0.5), _f.shared_dims(x, noise_shape)))
    return _collected(y, outputs_collections, _Named(scope or "Dropout"))


@add_arg_scope
def flatten(inputs, outputs_collections=None, scope=None):
    x = handle(inputs)
    return x if _unk(x) else _collected(wrap(L.flatten(x)), outputs_collections,
                                        _Named(scope or "Flatten"))
