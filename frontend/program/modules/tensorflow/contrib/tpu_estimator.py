"""tf.contrib.tpu_estimator."""

import importlib

_found = importlib.import_module("tensorflow._tf1.tpu")


def __getattr__(name):
    return getattr(_found, name)
