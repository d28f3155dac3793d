"""keras.src.applications.imagenet_utils."""

from keras.applications.imagenet_utils import decode_predictions, preprocess_input
from keras.config import image_data_format

PREPROCESS_INPUT_DOC = PREPROCESS_INPUT_MODE_DOC = PREPROCESS_INPUT_DEFAULT_ERROR_DOC = ""
PREPROCESS_INPUT_ERROR_DOC = PREPROCESS_INPUT_RET_DOC_CAFFE = ""
PREPROCESS_INPUT_RET_DOC_TF = PREPROCESS_INPUT_RET_DOC_TORCH = ""


def obtain_input_shape(input_shape, default_size, min_size, data_format, require_flatten,
                       weights="imagenet"):
    """The shape that an application takes: the given one, or its usual pictures."""
    first = data_format == "channels_first"
    usual = (3, default_size, default_size) if first else (default_size, default_size, 3)
    if weights != "imagenet" and input_shape and len(input_shape) == 3:
        channels = input_shape[0 if first else -1]
        if channels in (1, 3) or require_flatten:
            usual = (channels, default_size, default_size) if first else \
                (default_size, default_size, channels)
    if weights == "imagenet" and require_flatten:
        return usual
    if input_shape:
        return tuple(input_shape)
    if require_flatten:
        return usual
    return (3, None, None) if first else (None, None, 3)


_obtain_input_shape = obtain_input_shape


def correct_pad(inputs, kernel_size):
    """What a convolution of stride 2 pads so that it fits as in other frameworks."""
    at = 2 if image_data_format() == "channels_first" else 1
    sizes = tuple(inputs.shape)[at:at + 2]
    if isinstance(kernel_size, int):
        kernel_size = (kernel_size, kernel_size)
    less = (1, 1) if sizes[0] is None else (1 - sizes[0] % 2, 1 - sizes[1] % 2)
    half = (kernel_size[0] // 2, kernel_size[1] // 2)
    return ((half[0] - less[0], half[0]), (half[1] - less[1], half[1]))


def validate_activation(classifier_activation, weights):
    pass
