"""keras_applications.imagenet_utils."""

from keras.applications.imagenet_utils import decode_predictions
from keras.applications import imagenet_utils as _utils
from keras.src.applications.imagenet_utils import obtain_input_shape as _obtain_input_shape


def preprocess_input(x, data_format=None, mode="caffe", **kwargs):
    return _utils.preprocess_input(x, data_format=data_format, mode=mode)
