"""tf.layers as functions; their weights come from get_variable."""

import _tilewise as _t
from tensorflow._tensor import Tensor, handle, wrap
from tensorflow._tf1 import graph as _g
from tensorflow._tf1 import leaf as L
from tensorflow._tf1.scopes import get_variable, variable_scope


def truth(x, otherwise=True):
    """Whether a layer trains; what is not known is taken as `otherwise`."""
    if x is None:
        return False
    if isinstance(x, Tensor):
        x = _t.numbers(x._h)
        while isinstance(x, list) and len(x) == 1:
            x = x[0]
        return otherwise if x is None else bool(x)
    if _t.is_unknown(x):
        return otherwise
    return bool(x)


def number(x, otherwise):
    """A rate that may be a tensor."""
    if isinstance(x, (int, float)):
        return x
    if isinstance(x, Tensor):
        n = _t.numbers(x._h)
        return n if isinstance(n, (int, float)) else otherwise
    return otherwise


def scope_of(name, base, reuse=None):
    """The scope of a layer: conv2d, conv2d_1 .. count from the start again where the scope around
    them is entered again, so that a network that is called twice there has its weights once."""
    if name is None and reuse is not True:
        return variable_scope(None, base, reuse=reuse)
    return variable_scope(base if name is None else name, reuse=reuse)


def variable(name, shape, x, initializer=None, regularizer=None, trainable=True, like=None):
    """A weight in the type of the data, as a tensor."""
    from tensorflow._dtypes import BY_CODE
    kind = L.code(x) if like is None else like
    return get_variable(name, shape, dtype=BY_CODE[kind], initializer=initializer,
                        regularizer=regularizer, trainable=trainable)


def h_of(v):
    return handle(v)


def finished(h, activation, regularizer=None):
    y = wrap(h)
    if activation is not None:
        y = activation(y)
    if regularizer is not None:
        loss = regularizer(y)
        if loss is not None:
            _g.add_to_collection("regularization_losses", loss)
    return y


def _conv(n, inputs, filters, kernel_size, strides=1, padding="valid",
          data_format="channels_last", dilation_rate=1, activation=None, use_bias=True,
          kernel_initializer=None, bias_initializer=None, kernel_regularizer=None,
          bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
          bias_constraint=None, trainable=True, name=None, reuse=None, groups=1, **kw):
    x = handle(inputs)
    if _t.is_unknown(x):
        return x
    first = L.first(data_format)
    channels = L.dims(x)[1 if first else -1]
    with scope_of(name, "conv%dd" % n, reuse):
        kernel = variable("kernel", L.many(kernel_size, n) + [channels // groups, int(filters)], x,
                          kernel_initializer, kernel_regularizer, trainable)
        y = L.conv(x, h_of(kernel), strides, padding, dilation_rate, first, groups)
        if use_bias:
            b = variable("bias", [int(filters)], x, bias_initializer, bias_regularizer, trainable)
            y = L.bias(y, h_of(b), first)
        return finished(y, activation, activity_regularizer)


def conv1d(inputs, filters, kernel_size, strides=1, padding="valid",
           data_format="channels_last", *args, **kw):
    return _conv(1, inputs, filters, kernel_size, strides, padding, data_format, *args, **kw)


def conv2d(inputs, filters, kernel_size, strides=(1, 1), padding="valid",
           data_format="channels_last", *args, **kw):
    return _conv(2, inputs, filters, kernel_size, strides, padding, data_format, *args, **kw)


def conv3d(inputs, filters, kernel_size, strides=(1, 1, 1), padding="valid",
           data_format="channels_last", *args, **kw):
    return _conv(3, inputs, filters, kernel_size, strides, padding, data_format, *args, **kw)


def _conv_transpose(n, inputs, filters, kernel_size, strides=1, padding="valid",
                    data_format="channels_last", activation=None, use_bias=True,
                    kernel_initializer=None, bias_initializer=None, kernel_regularizer=None,
                    bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                    bias_constraint=None, trainable=True, name=None, reuse=None, **kw):
    x = handle(inputs)
    if _t.is_unknown(x):
        return x
    first = L.first(data_format)
    channels = L.dims(x)[1 if first else -1]
    with scope_of(name, "conv%dd_transpose" % n, reuse):
        kernel = variable("kernel", L.many(kernel_size, n) + [int(filters), channels], x,
                          kernel_initializer, kernel_regularizer, trainable)
        y = L.conv_transpose(x, h_of(kernel), strides, padding, first)
        if use_bias:
            b = variable("bias", [int(filters)], x, bias_initializer, bias_regularizer, trainable)
            y = L.bias(y, h_of(b), first)
        return finished(y, activation, activity_regularizer)


def conv2d_transpose(inputs, filters, kernel_size, strides=(1, 1), padding="valid",
                     data_format="channels_last", *args, **kw):
    return _conv_transpose(2, inputs, filters, kernel_size, strides, padding, data_format, *args,
                           **kw)


def conv3d_transpose(inputs, filters, kernel_size, strides=(1, 1, 1), padding="valid",
                     data_format="channels_last", *args, **kw):
    return _conv_transpose(3, inputs, filters, kernel_size, strides, padding, data_format, *args,
                           **kw)


def _separable(n, inputs, filters, kernel_size, strides=1, padding="valid",
               data_format="channels_last", dilation_rate=1, depth_multiplier=1, activation=None,
               use_bias=True, depthwise_initializer=None, pointwise_initializer=None,
               bias_initializer=None, depthwise_regularizer=None, pointwise_regularizer=None,
               bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
               pointwise_constraint=None, bias_constraint=None, trainable=True, name=None,
               reuse=None, **kw):
    x = handle(inputs)
    if _t.is_unknown(x):
        return x
    first = L.first(data_format)
    channels = L.dims(x)[1 if first else -1]
    with scope_of(name, "separable_conv%dd" % n, reuse):
        deep = variable("depthwise_kernel",
                        L.many(kernel_size, n) + [channels, depth_multiplier], x,
                        depthwise_initializer, depthwise_regularizer, trainable)
        flat = variable("pointwise_kernel", [1] * n + [channels * depth_multiplier, int(filters)],
                        x, pointwise_initializer, pointwise_regularizer, trainable)
        y = L.depthwise(x, h_of(deep), strides, padding, dilation_rate, first)
        y = L.conv(y, h_of(flat), 1, "VALID", 1, first)
        if use_bias:
            b = variable("bias", [int(filters)], x, bias_initializer, bias_regularizer, trainable)
            y = L.bias(y, h_of(b), first)
        return finished(y, activation, activity_regularizer)


def separable_conv2d(inputs, filters, kernel_size, strides=(1, 1), padding="valid",
                     data_format="channels_last", *args, **kw):
    return _separable(2, inputs, filters, kernel_size, strides, padding, data_format, *args, **kw)


def separable_conv1d(inputs, filters, kernel_size, strides=1, padding="valid",
                     data_format="channels_last", *args, **kw):
    return _separable(1, inputs, filters, kernel_size, strides, padding, data_format, *args, **kw)


def dense(inputs, units, activation=None, use_bias=True, kernel_initializer=None,
          bias_initializer=None, kernel_regularizer=None, bias_regularizer=None,
          activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True,
          name=None, reuse=None, **kw):
    x = handle(inputs)
    if _t.is_unknown(x):
        return x
    with scope_of(name, "dense", reuse):
        kernel = variable("kernel", [L.dims(x)[-1], int(units)], x, kernel_initializer,
                          kernel_regularizer, trainable)
        y = L.dense(x, h_of(kernel))
        if use_bias:
            b = variable("bias", [int(units)], x, bias_initializer, bias_regularizer, trainable)
            y = L.bias(y, h_of(b))
        return finished(y, activation, activity_regularizer)


def batch_normalization(inputs, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True,
                        beta_initializer=None, gamma_initializer=None,
                        moving_mean_initializer=None, moving_variance_initializer=None,
                        beta_regularizer=None, gamma_regularizer=None, beta_constraint=None,
                        gamma_constraint=None, training=False, trainable=True, name=None,
                        reuse=None, renorm=False, renorm_clipping=None, renorm_momentum=0.99,
                        fused=None, virtual_batch_size=None, adjustment=None, **kw):
    x = handle(inputs)
    if _t.is_unknown(x):
        return x
    if isinstance(axis, (list, tuple)):
        axis = axis[0]
    size = L.dims(x)[axis]
    kind = "f32" if L.code(x) in ("bf16", "f16") else L.code(x)
    with scope_of(name, "batch_normalization", reuse):
        gamma = beta = None
        if scale:
            gamma = h_of(variable("gamma", [size], x, gamma_initializer, gamma_regularizer,
                                  trainable, kind))
        if center:
            beta = h_of(variable("beta", [size], x, beta_initializer, beta_regularizer, trainable,
                                 kind))
        mean = variable("moving_mean", [size], x, None, None, False, kind)
        variance = variable("moving_variance", [size], x, None, None, False, kind)
        training = truth(training)
        y = L.batch_norm(x, gamma, beta, mean._h, variance._h, axis, epsilon, training, momentum)
        if training:
            _g.add_to_collection("update_ops", _g.Operation(name="AssignMovingAvg"))
            _g.add_to_collection("update_ops", _g.Operation(name="AssignMovingAvg_1"))
        return wrap(y)


def _pool(kind, n, inputs, pool_size, strides, padding="valid", data_format="channels_last",
          name=None):
    x = handle(inputs)
    if _t.is_unknown(x):
        return x
    return wrap(L.pool(kind, x, pool_size, strides, padding, L.first(data_format)))


def max_pooling1d(inputs, pool_size, strides, padding="valid", data_format="channels_last",
                  name=None):
    return _pool("max", 1, inputs, pool_size, strides, padding, data_format)


def max_pooling2d(inputs, pool_size, strides, padding="valid", data_format="channels_last",
                  name=None):
    return _pool("max", 2, inputs, pool_size, strides, padding, data_format)


def average_pooling2d(inputs, pool_size, strides, padding="valid", data_format="channels_last",
                      name=None):
    return _pool("mean", 2, inputs, pool_size, strides, padding, data_format)


max_pooling3d = max_pooling2d
average_pooling1d = average_pooling3d = average_pooling2d


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    x = handle(inputs)
    if _t.is_unknown(x) or not truth(training):
        return inputs
    rate = number(rate, 0.5)
    return wrap(L.dropout(x, rate, shared_dims(x, noise_shape)))


def shared_dims(x, noise_shape):
    """Dims along which one number decides for all."""
    if noise_shape is None:
        return []
    if isinstance(noise_shape, Tensor):
        noise_shape = _t.numbers(noise_shape._h) or []
    sizes = L.dims(x)
    return [i for i, n in enumerate(noise_shape) if isinstance(n, int) and n == 1
            and i < len(sizes) and sizes[i] != 1]


def flatten(inputs, name=None, data_format="channels_last"):
    x = handle(inputs)
    return x if _t.is_unknown(x) else wrap(L.flatten(x))
