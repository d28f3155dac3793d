"""Stands for a package of modules of tf.contrib: names are looked for where they are public."""

from tensorflow.contrib import _python_leaf
from tensorflow.contrib import _python_slim as slim

layers = initializers = regularizers = utils = variables = normalization = _python_leaf
optimizers = summaries = feature_column = embedding_ops = rev_block_lib = _python_leaf
training = evaluation = hparam = tpu_estimator = tpu_config = tpu_optimizer = _python_leaf
tpu_context = tpu_function = tpu_feed = tpu_ops = tpu = bfloat16 = async_checkpoint = _python_leaf
session_support = keras_support = datasets = tpu_embedding = training_loop = _python_leaf
tpu_system_metadata = device_assignment = topology = util = _python_leaf
rnn_cell = core_rnn_cell = lstm_ops = moving_average_optimizer = loss_ops = _python_leaf


def __getattr__(name):
    return getattr(_python_leaf, name)
