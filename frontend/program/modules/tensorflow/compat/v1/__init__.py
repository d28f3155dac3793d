"""tf.compat.v1: names of TensorFlow 1, then those of TensorFlow 2."""

import tensorflow as _tf
from tensorflow import _v1
from tensorflow._public import _asked
from tensorflow._tf1 import made as _made

_names = globals()


def __getattr__(name):
    if name[:2] == "__" and name != "__version__":
        raise AttributeError(name)
    try:
        found = _v1.find(name, True)
        if _asked:
            # The name was asked of TensorFlow itself.
            _v1.activate()
    except AttributeError:
        found = getattr(_tf, name)
    _names[name] = found
    return found
