"""tf.saved_model: nothing is written."""

import _tilewise as _t
from tensorflow._tf1.graph import Quiet


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return Quiet()


class Builder(Quiet):
    pass


def load(*args, **kw):
    return _t.unknown("a saved model")


def simple_save(*args, **kw):
    return None


class tag_constants:
    SERVING, TRAINING, TPU, GPU = "serve", "train", "tpu", "gpu"


class signature_constants:
    DEFAULT_SERVING_SIGNATURE_DEF_KEY = "serving_default"
    PREDICT_METHOD_NAME = "tensorflow/serving/predict"
    CLASSIFY_METHOD_NAME = "tensorflow/serving/classify"
    PREDICT_INPUTS, PREDICT_OUTPUTS = "inputs", "outputs"
