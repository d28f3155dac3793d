"""How pictures are scaled for the models, and what their answers mean."""

import _tilewise
import numpy

_BGR = [103.939, 116.779, 123.68]
_MEAN, _DEVIATION = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


def _along(values, x, first):
    """One number a channel, in a form that fits pictures of this layout."""
    if not first:
        return numpy.array(values, "float32") if isinstance(x, numpy.ndarray) else values
    values = [[[v]] for v in values]
    return numpy.array(values, "float32") if isinstance(x, numpy.ndarray) else values


def _floating(x):
    if isinstance(x, numpy.ndarray):
        return x if x.dtype.kind == "f" else x.astype("float32")
    if hasattr(x, "_h") and not x.dtype.is_floating:
        from keras import ops
        return ops.cast(x, "float32")
    return x


def preprocess_input(x, data_format=None, mode="caffe"):
    if _tilewise.is_unknown(x):
        return x
    if data_format is None:
        from keras import backend
        data_format = backend.image_data_format()
    first = data_format == "channels_first"
    x = _floating(numpy.array(x) if isinstance(x, (list, tuple)) else x)
    if mode == "tf":
        return x / 127.5 - 1.0
    if mode == "torch":
        return (x / 255.0 - _along(_MEAN, x, first)) / _along(_DEVIATION, x, first)
    if first:
        x = x[::-1, ...] if len(x.shape) == 3 else x[:, ::-1, ...]
    else:
        x = x[..., ::-1]
    return x - _along(_BGR, x, first)


def decode_predictions(preds, top=5):
    """As many answers as there are pictures; which classes win depends on the weights."""
    n = preds.shape[0] if hasattr(preds, "shape") and len(preds.shape) else 1
    what = "the classes that a trained model finds"
    answer = (_tilewise.unknown(what), _tilewise.unknown(what), _tilewise.unknown(what))
    return [[answer] * top for _ in range(n or 1)]


def _scaled(mode):
    def scale(x, data_format=None):
        return preprocess_input(x, data_format, mode)
    scale.__name__ = scale.__qualname__ = "preprocess_input"
    return scale


caffe_input, tf_input, torch_input = _scaled("caffe"), _scaled("tf"), _scaled("torch")


def same_input(x, data_format=None):
    """For models that scale pictures themselves."""
    return x
