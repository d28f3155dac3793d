"""slim: layers with scopes of arguments, losses, and loops that train."""

from tensorflow.contrib import _python as python
from tensorflow.contrib.framework import (
    add_arg_scope, arg_scope, arg_scoped_arguments, assign_from_checkpoint,
    assign_from_checkpoint_fn, create_global_step, current_arg_scope, get_global_step,
    get_local_variable, get_model_variables, get_or_create_global_step, get_trainable_variables,
    get_unique_variable, get_variable, get_variables, get_variables_by_name,
    get_variables_by_suffix, get_variables_to_restore, has_arg_scope, local_variable,
    model_variable, variable)
from tensorflow.contrib.layers import (
    avg_pool2d, avg_pool3d, batch_norm, bias_add, conv1d, conv2d, conv2d_transpose, conv3d,
    conv3d_transpose, convolution, convolution2d, convolution2d_in_plane, convolution2d_transpose,
    convolution3d, dropout, flatten, fully_connected, group_norm, instance_norm, l1_regularizer,
    l2_regularizer, layer_norm, linear, max_pool2d, max_pool3d, one_hot_encoding, repeat,
    separable_conv2d, separable_convolution2d, softmax, stack, unit_norm,
    variance_scaling_initializer, xavier_initializer)
from tensorflow.contrib.slim import learning


def __getattr__(name):
    import importlib
    if name == "losses":
        return importlib.import_module("tensorflow._tf1.losses")
    if name in ("layers", "metrics", "training", "framework"):
        return importlib.import_module("tensorflow.contrib." + name)
    if name in ("nets", "data", "dataset", "dataset_data_provider", "tfexample_decoder",
                "evaluation", "arg_scope_", "queues"):
        return importlib.import_module("tensorflow.contrib.slim." + name)
    raise AttributeError(name)
