"""tf.metrics of TensorFlow 1: pairs of a value and an update, neither of which is computed."""

import _tilewise as _t
from tensorflow._tensor import wrap
from tensorflow._tf1.graph import Operation


def _metric(*args, **kw):
    value = wrap(_t.input([], "f32", "metric", None))
    return value, Operation(name="update_op")


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name[:1].isupper():
        from keras import metrics
        return getattr(metrics, name)
    return _metric
