"""tf.compat.v1.summary."""

from tensorflow._tf1 import summary as _held
from tensorflow.compat.v1 import _asked, _v1


def __getattr__(name):
    found = getattr(_held, name)
    if _asked:
        _v1.activate()
    return found
