"""tf.debugging: what is asserted is taken as true."""

from tensorflow.config import _nothing

Assert = assert_equal = assert_near = assert_none_equal = assert_less = assert_less_equal = _nothing
assert_greater = assert_greater_equal = assert_positive = assert_negative = _nothing
assert_non_negative = assert_non_positive = assert_rank = assert_rank_at_least = _nothing
assert_rank_in = assert_shapes = assert_type = assert_same_float_dtype = _nothing
assert_integer = assert_scalar = assert_proper_iterable = assert_all_finite = _nothing
enable_check_numerics = disable_check_numerics = set_log_device_placement = _nothing
enable_traceback_filtering = disable_traceback_filtering = _nothing


def check_numerics(tensor, message=None, name=None):
    return tensor


def is_numeric_tensor(tensor):
    return tensor.dtype.is_numeric


def get_log_device_placement():
    return False


def is_traceback_filtering_enabled():
    return True


class experimental:
    enable_dump_debug_info = disable_dump_debug_info = staticmethod(_nothing)
