"""Stands for tensorflow.contrib.slim.python.slim."""

from tensorflow.contrib import _python_leaf
from tensorflow.contrib import _python_nets as nets

learning = evaluation = model_analyzer = queues = summaries = data = _python_leaf


def __getattr__(name):
    return getattr(_python_leaf, name)
