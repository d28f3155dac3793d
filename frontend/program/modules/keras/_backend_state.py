"""keras.backend: values, sessions and the phase of learning."""

import _tilewise as _t
from keras import _node
from tensorflow import _tensor as _x
from tensorflow._public import state

_unk = _t.is_unknown
_uids = {}


def backend():
    return "tensorflow"


def learning_phase():
    return 1 if state.training else 0


def set_learning_phase(value):
    state.training = bool(value) if not _unk(value) else None


class learning_phase_scope:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        self._before = state.training
        state.training = bool(self.value)
        return self

    def __exit__(self, *args):
        state.training = self._before
        return False


def _now(value):
    return value() if callable(value) and not isinstance(value, _x.Tensor) else value


def in_train_phase(x, alt, training=None):
    if training is None:
        training = state.training
    return _now(x) if training else _now(alt)


def in_test_phase(x, alt, training=None):
    return in_train_phase(alt, x, training)


def switch(condition, then_expression, else_expression):
    if not isinstance(condition, _x.Tensor):
        return _now(then_expression) if condition else _now(else_expression)
    a, b = _now(then_expression), _now(else_expression)
    x, y = _x.pair(a, b)
    c = _x.handle(condition, "bool")
    while 0 < len(_t.shape(c)) < len(_t.shape(x)):
        c = _t.op("tw.reshape", [c], {"shape": list(_t.shape(c)) + [1]})
    return _x.wrap(_t.op("tw.select", [c, x, y]))


def gradients(loss, variables):
    single = not isinstance(variables, (list, tuple))
    given = [variables] if single else list(variables)
    _t.record("backward", value=_x.handle(loss), parameters=[_x.handle(v) for v in given])
    return [_x.wrap(_t.input(list(_t.shape(_x.handle(v))), "f32", "gradient", None))
            for v in given]


def function(inputs, outputs, updates=None, name=None, **kwargs):
    """A function that runs a part of a functional model."""
    wanted = outputs

    def run(*given):
        given = given[0] if len(given) == 1 else list(given)
        given = given if isinstance(given, (list, tuple)) else [given]
        values = {}
        for kept, v in zip(_node.flat(inputs), given):
            values[id(kept)] = _x.tensor(v)
        return _node.map_tensors(lambda t: t.numpy(), _node.replay(wanted, values))
    return run


def get_value(x):
    return x.numpy() if hasattr(x, "numpy") else x


def eval(x):
    return get_value(x)


def set_value(x, value):
    if hasattr(x, "assign"):
        x.assign(value)


def batch_get_value(tensors):
    return [get_value(x) for x in tensors]


def batch_set_value(tuples):
    pass


def update(x, new_x):
    return x.assign(new_x)


def update_add(x, increment):
    return x.assign_add(increment)


def update_sub(x, decrement):
    return x.assign_sub(decrement)


def moving_average_update(x, value, momentum):
    return x


def count_params(x):
    n = 1
    for d in x.shape:
        n *= d
    return n


def print_tensor(x, message="", summarize=3):
    return x


def get_uid(prefix=""):
    _uids[prefix] = _uids.get(prefix, 0) + 1
    return _uids[prefix]


def reset_uids():
    _uids.clear()


def clear_session(free_memory=True):
    from keras import _info
    _info._counts.clear()


def get_session():
    from tensorflow.compat import v1
    return v1.Session()


def set_session(session):
    pass


def manual_variable_initialization(value):
    pass
