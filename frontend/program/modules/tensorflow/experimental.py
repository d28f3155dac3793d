"""tf.experimental."""

import _tilewise
from tensorflow import _dtypes
from tensorflow._control import context
from tensorflow._tensor import tensor
from tensorflow.config import _nothing

enable_strict_mode = register_filesystem_plugin = _nothing


class async_scope(context):
    pass


def async_clear_error():
    pass


def function_executor_type(executor_type):
    return context()


class Optional:
    @staticmethod
    def from_value(value):
        from tensorflow.data._iterator import Optional as Made
        return Made(value)


def dispatch_for_api(*args, **kwargs):
    return lambda f: f


class ExtensionType:
    """A data class of tensors: fields are what its annotations name."""

    def __init__(self, *args, **kwargs):
        names = []
        for cls in type(self).__mro__[::-1]:
            names += [n for n in getattr(cls, "__annotations__", {}) if n not in names]
        for name, value in zip(names, args):
            setattr(self, name, value)
        for name, value in kwargs.items():
            setattr(self, name, value)


BatchableExtensionType = ExtensionType


class _NumPy:
    """tf.experimental.numpy: what there is under the same names in Keras."""
    float32, float64, int32, int64 = _dtypes.float32, _dtypes.float64, _dtypes.int32, _dtypes.int64
    newaxis = None
    experimental_enable_numpy_behavior = staticmethod(_nothing)
    array = asarray = staticmethod(lambda value, dtype=None, **ignored: tensor(value, dtype))

    def __getattr__(self, name):
        from keras import ops
        return getattr(ops, name)


numpy = _NumPy()


class dlpack:
    to_dlpack = from_dlpack = staticmethod(lambda value: value)


dtensor = _tilewise.unknown("tf.experimental.dtensor")


class tensorrt:
    pass
