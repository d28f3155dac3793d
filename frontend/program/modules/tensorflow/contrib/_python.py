"""Stands for the packages `python` within tf.contrib."""

from tensorflow.contrib import _python_ops
from tensorflow.contrib import _python_slim as slim

ops = layers = training = framework = tpu = estimator = util = data = eager = lib = _python_ops
opt = metrics = losses = summary = rnn = learn = examples = seq2seq = _python_ops


def __getattr__(name):
    return getattr(_python_ops, name)
