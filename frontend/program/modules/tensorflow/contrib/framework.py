"""tf.contrib.framework."""

from tensorflow.contrib import _python as python
import _tilewise as _t
from tensorflow._tf1.arg_scope import (
    add_arg_scope, arg_scope, arg_scoped_arguments, current_arg_scope, has_arg_scope)
from tensorflow._tf1.graph import get_collection, nothing
from tensorflow._tf1.graph import global_variables as get_variables
from tensorflow._tf1.graph import trainable_variables as get_trainable_variables
from tensorflow._tf1.scopes import (
    assert_global_step, create_global_step, get_global_step, get_or_create_global_step,
    get_variable, get_local_variable, model_variable)
from tensorflow import nest


def get_model_variables(scope=None, suffix=None):
    return get_variables(scope)


def get_variables_to_restore(include=None, exclude=None):
    return [v for v in get_variables() if not any(v.op.name.startswith(e) for e in exclude or ())]


def get_variables_by_name(name, scope=None):
    return [v for v in get_variables(scope) if v.op.name.split("/")[-1] == name]


get_variables_by_suffix = get_variables_by_name


def get_unique_variable(name):
    found = get_variables(name)
    return found[0] if found else _t.unknown("variable " + name)


def variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True,
             collections=None, *args, **kw):
    return get_variable(name, shape, dtype, initializer, regularizer, trainable, collections)


def local_variable(initial_value, *args, **kw):
    from tensorflow._tf1.ops import Variable_v1
    return Variable_v1(initial_value, trainable=False, collections=["local_variables"])


def init_from_checkpoint(*args, **kw):
    return None


def assign_from_checkpoint_fn(*args, **kw):
    return nothing


def assign_from_checkpoint(*args, **kw):
    return None, {}


def load_checkpoint(path):
    return _t.unknown("a checkpoint")


list_variables = load_variable = load_checkpoint


def is_tensor(x):
    from tensorflow._tensor import Tensor
    return isinstance(x, Tensor)


def with_shape(expected, tensor):
    return tensor




