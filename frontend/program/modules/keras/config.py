"""keras.config."""

from keras import _policy
from keras._policy import floatx, set_floatx

_formats = ["channels_last"]
set_dtype_policy, dtype_policy = _policy.set, _policy.get


def backend():
    return "tensorflow"


def image_data_format():
    return _formats[0]


def set_image_data_format(data_format):
    _formats[0] = str(data_format)



def epsilon():
    return 1e-7


def _nothing(*args, **kwargs):
    pass


set_epsilon = enable_unsafe_deserialization = disable_interactive_logging = _nothing
enable_interactive_logging = enable_traceback_filtering = disable_traceback_filtering = _nothing
set_backend = enable_flash_attention = disable_flash_attention = _nothing


def is_interactive_logging_enabled():
    return False


def is_flash_attention_enabled():
    return None


