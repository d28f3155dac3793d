"""tf.contrib.rnn."""

from tensorflow.contrib import _python as python
import importlib

_found = importlib.import_module("tensorflow._tf1.rnn_cell")


def __getattr__(name):
    return getattr(_found, name)
