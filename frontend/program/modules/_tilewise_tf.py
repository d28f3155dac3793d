"""A model that an expression of TensorFlow 1 makes: tensors, or a function of tensors.

`given(name, text)` is what a name in the expression stands for that the module does not have:
the next input. `trace(model, inputs)` records what the expression made.
"""

import _python
import _tilewise as _t
from tensorflow._public import state
from tensorflow._tensor import Tensor, as_dtype, wrap
from tensorflow._tf1 import graph as _g
from tensorflow._tf1.session import record_model

BATCH = 61
_NAMES = ("images", "image", "inputs", "input", "features", "input_ids", "x", "ids", "tokens",
          "data", "batch", "inputs_ids", "token_ids", "input_tensor")
_used = {}


def _tensor(dims, dtype):
    code = as_dtype(dtype).code if as_dtype(dtype, None) is not None else dtype
    return wrap(_t.input([BATCH] + list(dims), code, "input"))


def given(name, inputs):
    """The input that `name` stands for, or None; `inputs` are (sizes of one example, type)."""
    if name in _used:
        return _used[name]
    if name not in _NAMES or len(_used) >= len(inputs):
        return None
    _used[name] = _tensor(*inputs[len(_used)])
    return _used[name]


def is_tf(model):
    """Whether what an expression made is for `trace`."""
    if isinstance(model, Tensor) or state.variables:
        return True
    return callable(model) and not isinstance(model, type) and \
        "tensorflow" in getattr(model, "__globals__", {}).get("__name__", "")


def _flat(value, found, seen):
    if _t.is_unknown(value):
        _t.note("a result of the model is not known: " + _t.reason(value))
    elif isinstance(value, Tensor):
        if not value._is_variable:
            found.append(value._h)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _flat(item, found, seen)
    elif isinstance(value, dict):
        for item in value.values():
            _flat(item, found, seen)
    elif hasattr(value, "__dict__") and id(value) not in seen:
        seen.add(id(value))
        for item in list(vars(value).values()):
            if isinstance(item, (Tensor, list, tuple, dict)):
                _flat(item, found, seen)
    return found


def _called(function, tensors):
    """Inputs go to the first arguments; whether it trains is said where it asks."""
    named = {}
    for name, kind, has_default, _ in _python.signature(function):
        if name in ("is_training", "training", "train") and not has_default:
            named[name] = False
    return function(*tensors, **named)


def trace(model, inputs):
    made = model
    if callable(model) and not isinstance(model, Tensor):
        made = _called(model, [_tensor(dims, dtype) for dims, dtype in inputs])
    found = _flat(made, [], set())
    record_model(_g.get_default_graph(),
                 getattr(model, "__name__", None) or type(model).__name__)
    if found:
        _t.record("result", value=found)
