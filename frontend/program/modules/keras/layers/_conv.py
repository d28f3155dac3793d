"""Convolutions."""

import _tilewise
from keras import activations, constraints, initializers, regularizers
from keras._layer import Layer
from keras._leaf import code, dims, many, op, product, put, reshape, transpose, wrap
from keras.layers._core import Leaf, _alike, _linear, weight_of


def format_of(data_format):
    if data_format is not None:
        return data_format
    from keras import backend
    found = backend.image_data_format()
    return "channels_last" if _tilewise.is_unknown(found) else found


class BaseConv(Leaf):
    _rank = 2

    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None,
                 dilation_rate=1, groups=1, activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros",
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, bias_constraint=None, lora_rank=None, **kwargs):
        Layer.__init__(self, activity_regularizer=activity_regularizer, **kwargs)
        n = self.rank = self._rank
        self.filters, self.groups = filters, groups or 1
        self.kernel_size, self.strides = many(kernel_size, n), many(strides, n)
        self.dilation_rate, self.padding = many(dilation_rate, n), padding.lower()
        self.data_format = format_of(data_format)
        self.activation, self.use_bias = activations.get(activation), use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.bias = None
        self._first = self.data_format == "channels_first"

    def _features(self, input_shape):
        n = input_shape[-self.rank - 1 if self._first else -1]
        if n is None:
            raise ValueError("The channel dimension of the inputs should be defined. "
                             "The input_shape received is " + str(tuple(input_shape)))
        return n

    def _attributes(self):
        n = self.rank
        low = [0] * n
        if self.padding == "causal":
            low[0] = (self.kernel_size[0] - 1) * self.dilation_rate[0]
        attrs = {"strides": list(self.strides), "rhs_dilation": list(self.dilation_rate),
                 "low": low, "high": [0] * n, "groups": self.groups,
                 "channels_first": self._first}
        if self.padding == "same":
            attrs["padding"] = "SAME"
        self._attrs = attrs

    def build(self, input_shape):
        channels = self._features(input_shape)
        if channels % self.groups:
            raise ValueError("The number of input channels must be evenly divisible by the "
                             "number of groups. Received groups=" + str(self.groups))
        self.kernel = weight_of(self, "kernel", self.kernel_size + (channels // self.groups,
                                                                    self.filters))
        if self.use_bias:
            self.bias = weight_of(self, "bias", (self.filters,))
        self._attributes()
        self._lead = len(input_shape) - self.rank - 1
        self.built = True

    def convolution_op(self, inputs, kernel):
        return wrap(self._convolve(inputs._h, kernel._h))

    _convolution_op = convolution_op  # its name until TensorFlow 2.6

    def _convolve(self, h, k):
        if code(k) != code(h):
            h, k, _ = _alike(h, k)
        if self._first:
            n = self.rank
            k = transpose(k, [n + 1, n] + list(range(n)))
        return op("tw.conv", [h, k], self._attrs)

    def call(self, inputs):
        h = inputs._h
        lead = None
        if self._lead != 1:
            lead = dims(h)[:self._lead]
            inputs = wrap(reshape(h, (product(lead),) + dims(h)[self._lead:]))
        y = self.convolution_op(inputs, self.kernel)._h
        if lead is not None:
            y = reshape(y, lead + dims(y)[1:])
        return self._finish(y)

    def _finish(self, y):
        if self.bias is not None:
            b = put(self.bias._h, code(y))
            if self._first:
                b = reshape(b, (dims(b)[0],) + (1,) * self.rank)
            y = op("tw.binary", [y, b], {"kind": "add"})
        y = wrap(y)
        return y if self.activation is _linear else self.activation(y)

    def compute_output_shape(self, input_shape):
        shape = list(input_shape)
        first = len(shape) - self.rank - (0 if self._first else 1)
        for i in range(self.rank):
            shape[first + i] = output_length(shape[first + i], self.kernel_size[i],
                                             self.padding, self.strides[i],
                                             self.dilation_rate[i])
        shape[first - 1 if self._first else -1] = self.filters
        return tuple(shape)


def output_length(n, size, padding, stride, dilation=1):
    if n is None:
        return None
    extent = (size - 1) * dilation + 1
    if padding == "valid":
        n = n - extent + 1
    return -(-n // stride)


class Conv1D(BaseConv):
    _rank = 1


class Conv2D(BaseConv):
    pass


class Conv3D(BaseConv):
    _rank = 3


class BaseConvTranspose(BaseConv):
    def __init__(self, filters, kernel_size, strides=1, padding="valid", output_padding=None,
                 data_format=None, dilation_rate=1, activation=None, use_bias=True, *args,
                 **kwargs):
        for name, value in zip(_TAIL, args):
            kwargs[name] = value
        BaseConv.__init__(self, filters, kernel_size, strides, padding, data_format,
                          dilation_rate, 1, activation, use_bias, **kwargs)
        self.output_padding = None if output_padding is None else many(output_padding, self.rank)

    def build(self, input_shape):
        self.kernel = weight_of(self, "kernel",
                                self.kernel_size + (self.filters, self._features(input_shape)))
        if self.use_bias:
            self.bias = weight_of(self, "bias", (self.filters,))
        self.built = True

    def _lengths(self, spatial):
        extra = self.output_padding
        result = []
        for i, n in enumerate(spatial):
            stride = self.strides[i]
            extent = (self.kernel_size[i] - 1) * self.dilation_rate[i] + 1
            same = self.padding == "same"
            if n is None:
                result.append(None)
            elif extra is not None:
                result.append((n - 1) * stride + extent - (2 * (extent // 2) if same else 0)
                              + extra[i])
            else:
                result.append(n * stride + (0 if same else max(extent - stride, 0)))
        return result

    def call(self, inputs):
        h = inputs._h
        shape = dims(h)
        n = self.rank
        spatial = shape[2:] if self._first else shape[1:-1]
        y = transposed_conv(h, self.kernel._h, self.strides, self.dilation_rate,
                            self._lengths(spatial), self._first)
        return self._finish(y)

    def compute_output_shape(self, input_shape):
        shape = list(input_shape)
        if self._first:
            return tuple([shape[0], self.filters] + self._lengths(shape[2:]))
        return tuple([shape[0]] + self._lengths(shape[1:-1]) + [self.filters])


def transposed_conv(h, k, strides, dilation, lengths, first=False):
    """The input gradient of a convolution whose input has `lengths`; its kernel is
    [spatial.., out, in], which XLA reads in this order without a copy."""
    n = len(lengths)
    spatial = dims(h)[2:] if first else dims(h)[1:-1]
    size = dims(k)
    low, high = [], []
    for i in range(n):
        extent = (size[i] - 1) * dilation[i] + 1
        total = max((spatial[i] - 1) * strides[i] + extent - lengths[i], 0)
        low.append(total // 2)
        high.append(total - total // 2)
    return op("tw.conv_input_grad", [h, put(k, code(h))], {
        "strides": list(strides), "low": low, "high": high, "rhs_dilation": list(dilation),
        "sizes": list(lengths), "channels_first": first})


_TAIL = ("kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer",
         "activity_regularizer", "kernel_constraint", "bias_constraint")


class Conv1DTranspose(BaseConvTranspose):
    _rank = 1


class Conv2DTranspose(BaseConvTranspose):
    pass


class Conv3DTranspose(BaseConvTranspose):
    _rank = 3


class DepthwiseConv2D(BaseConv):
    def __init__(self, kernel_size, strides=1, padding="valid", depth_multiplier=1,
                 data_format=None, dilation_rate=1, activation=None, use_bias=True, **kwargs):
        own = _split(kwargs, "depthwise")
        BaseConv.__init__(self, None, kernel_size, strides, padding, data_format, dilation_rate,
                          1, activation, use_bias, **kwargs)
        self.depth_multiplier = depth_multiplier
        for name in own:
            setattr(self, name, own[name])

    def build(self, input_shape):
        n = self._features(input_shape)
        self.kernel = weight_of(self, "kernel", self.kernel_size + (n, self.depth_multiplier),
                                "depthwise")
        self.groups, self._out = n, n * self.depth_multiplier
        if self.use_bias:
            self.bias = weight_of(self, "bias", (self._out,))
        self._attributes()
        self._lead = len(input_shape) - self.rank - 1
        self.built = True

    @property
    def depthwise_kernel(self):
        return self.kernel

    def convolution_op(self, inputs, kernel):
        return wrap(self._convolve(inputs._h, reshape(kernel._h,
                                                      self.kernel_size + (1, self._out))))

    def compute_output_shape(self, input_shape):
        shape = list(BaseConv.compute_output_shape(self, input_shape))
        shape[1 if self._first else -1] = self._features(input_shape) * self.depth_multiplier
        return tuple(shape)


class DepthwiseConv1D(DepthwiseConv2D):
    _rank = 1


def _split(kwargs, *parts):
    own = {}
    for part in parts:
        for what, of in (("initializer", initializers), ("regularizer", regularizers),
                         ("constraint", constraints)):
            name = part + "_" + what
            own[name] = of.get(kwargs.pop(name, "glorot_uniform" if what == "initializer"
                                          else None))
    return own


class SeparableConv2D(BaseConv):
    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None,
                 dilation_rate=1, depth_multiplier=1, activation=None, use_bias=True, **kwargs):
        own = _split(kwargs, "depthwise", "pointwise")
        BaseConv.__init__(self, filters, kernel_size, strides, padding, data_format,
                          dilation_rate, 1, activation, use_bias, **kwargs)
        self.depth_multiplier = depth_multiplier
        self._parts = own
        for name in own:
            setattr(self, name, own[name])

    def build(self, input_shape):
        n = self._features(input_shape)
        inner = n * self.depth_multiplier
        ones = (1,) * self.rank
        self.depthwise_kernel = weight_of(self, "depthwise_kernel", self.kernel_size
                                          + (n, self.depth_multiplier), "depthwise")
        self.pointwise_kernel = weight_of(self, "pointwise_kernel", ones + (inner, self.filters),
                                          "pointwise")
        if self.use_bias:
            self.bias = weight_of(self, "bias", (self.filters,))
        self.groups, self._inner = n, inner
        self._attributes()
        self._point = {"strides": [1] * self.rank, "channels_first": self._first}
        self.built = True

    def call(self, inputs):
        h = inputs._h
        y = self._convolve(h, reshape(self.depthwise_kernel._h,
                                      self.kernel_size + (1, self._inner)))
        k = put(self.pointwise_kernel._h, code(h))
        if self._first:
            n = self.rank
            k = transpose(k, [n + 1, n] + list(range(n)))
        return self._finish(op("tw.conv", [y, k], self._point))


class SeparableConv1D(SeparableConv2D):
    _rank = 1


Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
Convolution1DTranspose, Convolution2DTranspose = Conv1DTranspose, Conv2DTranspose
Convolution3DTranspose = Conv3DTranspose
SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D
Deconvolution2D, Deconvolution3D = Conv2DTranspose, Conv3DTranspose
