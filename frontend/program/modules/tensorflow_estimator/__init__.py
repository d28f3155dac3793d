"""tensorflow_estimator is tf.estimator."""

import importlib as _importlib

import tensorflow.estimator as estimator

_importlib.import_module("tensorflow")  # It is loaded whatever is used of this one.


def __getattr__(name):
    return getattr(estimator, name)
