"""tf.compat.v1.train."""

from tensorflow._tf1 import train as _held
from tensorflow.compat.v1 import _asked, _v1


def __getattr__(name):
    found = getattr(_held, name)
    if _asked:
        _v1.activate()
    return found
