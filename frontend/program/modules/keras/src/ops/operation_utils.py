"""keras.src.ops.operation_utils."""

from keras.utils._basics import get_source_inputs


def compute_conv_output_shape(input_shape, filters, kernel_size, strides=1, padding="valid",
                              data_format="channels_last", dilation_rate=1):
    return tuple(input_shape[:-1]) + (filters,)


def compute_reshape_output_shape(input_shape, newshape, newshape_arg_name):
    return tuple(newshape)


def reduce_shape(shape, axis=None, keepdims=False):
    axes = range(len(shape)) if axis is None else [axis] if isinstance(axis, int) else axis
    axes = [a % len(shape) for a in axes]
    return tuple([1 if i in axes else d for i, d in enumerate(shape)
                  if keepdims or i not in axes])
