"""tf.nn where TensorFlow 1 has other arguments or another order; the rest is TensorFlow 2's."""

import _tilewise as _t
from tensorflow import _losses, _nn
from tensorflow._tf1.functional_layers import number

_LATER = {"dynamic_rnn": "rnn", "static_rnn": "rnn", "bidirectional_dynamic_rnn": "rnn",
          "static_bidirectional_rnn": "rnn", "raw_rnn": "rnn", "static_state_saving_rnn": "rnn"}


def __getattr__(name):
    import importlib
    if name == "rnn_cell":
        return importlib.import_module("tensorflow._tf1.rnn_cell")
    if name in _LATER:
        return getattr(importlib.import_module("tensorflow._tf1." + _LATER[name]), name)
    return getattr(importlib.import_module("tensorflow.nn"), name)


def _either(a, b):
    return b if a is None else a


def conv2d(input, filter=None, strides=None, padding=None, use_cudnn_on_gpu=True,
           data_format="NHWC", dilations=None, name=None, filters=None):
    return _nn.conv2d(input, _either(filter, filters), _either(strides, 1), padding, data_format,
                      dilations)


def conv3d(input, filter=None, strides=None, padding=None, data_format="NDHWC", dilations=None,
           name=None, filters=None):
    return _nn.conv2d(input, _either(filter, filters), strides, padding, data_format, dilations)


def conv1d(value=None, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None,
           data_format=None, name=None, input=None, dilations=None):
    return _nn.conv1d(_either(value, input), filters, stride, padding, data_format or "NWC",
                      dilations)


def convolution(input, filter=None, padding="VALID", strides=None, dilation_rate=None, name=None,
                data_format=None, filters=None, dilations=None):
    return _nn.convolution(input, _either(filter, filters), strides, padding, data_format,
                           _either(dilation_rate, dilations))


def conv2d_transpose(value=None, filter=None, output_shape=None, strides=None, padding="SAME",
                     data_format="NHWC", name=None, input=None, filters=None, dilations=None):
    return _nn.conv2d_transpose(_either(value, input), _either(filter, filters), output_shape,
                                strides, padding, data_format)


def conv3d_transpose(value, filter=None, output_shape=None, strides=None, padding="SAME",
                     data_format="NDHWC", name=None, input=None, filters=None, dilations=None):
    return _nn.conv2d_transpose(_either(value, input), _either(filter, filters), output_shape,
                                strides, padding, data_format)


def depthwise_conv2d(input, filter=None, strides=None, padding=None, rate=None, name=None,
                     data_format=None, dilations=None):
    return _nn.depthwise_conv2d(input, filter, strides, padding, data_format or "NHWC",
                                _either(rate, dilations))


def depthwise_conv2d_native(input, filter=None, strides=None, padding=None, data_format="NHWC",
                            dilations=None, name=None):
    return depthwise_conv2d(input, filter, strides, padding, dilations, None, data_format)


def separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, rate=None,
                     name=None, data_format=None, dilations=None):
    y = depthwise_conv2d(input, depthwise_filter, strides, padding, rate, None, data_format)
    return conv2d(y, pointwise_filter, 1, "VALID", data_format=data_format or "NHWC")


def max_pool(value=None, ksize=None, strides=None, padding=None, data_format="NHWC", name=None,
             input=None):
    return _nn.max_pool(_either(value, input), ksize, strides, padding, data_format)


def avg_pool(value=None, ksize=None, strides=None, padding=None, data_format="NHWC", name=None,
             input=None):
    return _nn.avg_pool(_either(value, input), ksize, strides, padding, data_format)


def dropout(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None):
    if rate is None:
        rate = 1.0 - number(keep_prob, 0.5)
    rate = number(rate, 0.5)
    return _nn.dropout(x, rate, noise_shape) if rate > 0 else x


def softmax(logits, axis=None, name=None, dim=None):
    return _nn.softmax(logits, _either(axis, dim))


def log_softmax(logits, axis=None, name=None, dim=None):
    return _nn.log_softmax(logits, _either(axis, dim))


def _before_1_0(first, labels, logits):
    """(labels, logits): the first argument was the logits then."""
    return (labels, first) if logits is None and first is not None else (labels, logits)


def softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, dim=-1, name=None,
                                      axis=None):
    labels, logits = _before_1_0(_sentinel, labels, logits)
    return _losses.softmax_cross_entropy_with_logits(labels, logits, _either(axis, dim))


def softmax_cross_entropy_with_logits_v2(labels=None, logits=None, axis=None, name=None, dim=None,
                                         _sentinel=None):
    axis = _either(axis, dim)
    return _losses.softmax_cross_entropy_with_logits(labels, logits, -1 if axis is None else axis)


def sparse_softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    labels, logits = _before_1_0(_sentinel, labels, logits)
    return _losses.sparse_softmax_cross_entropy_with_logits(labels, logits)


def sigmoid_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    labels, logits = _before_1_0(_sentinel, labels, logits)
    return _losses.sigmoid_cross_entropy_with_logits(labels, logits)


def moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None):
    return _nn.moments(x, axes, None, bool(keep_dims or keepdims))


def embedding_lookup(params, ids, partition_strategy="mod", name=None, validate_indices=True,
                     max_norm=None):
    if isinstance(params, (list, tuple)) and len(params) > 1:
        from tensorflow._array import concat
        params = concat(list(params), 0)
    return _nn.embedding_lookup(params, ids)


def in_top_k(predictions, targets, k, name=None):
    from tensorflow._math import in_top_k as of_two
    return of_two(targets, predictions, k)


def record_loss(h, name, sparse=False):
    if not _t.is_unknown(h):
        _t.record("loss", value=h, name=name, from_logits=True, sparse=sparse)
