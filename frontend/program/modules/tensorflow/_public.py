"""What holds for the whole program, and functions that also build Keras's functional models."""


class _State:
    keras_tensors = 0     # KerasTensors that were made
    inside = 0            # layers that are being called: KerasTensors are plain tensors there
    training = None       # what the layers around say
    autocast = None       # code of the type in which layers read their variables
    floatx = None
    variables = []        # all, in order of creation
    creators = []         # of tf.variable_creator_scope
    on_variable = None    # TensorFlow 1: called with each new variable
    scope = ""            # of names
    tapes = []            # that are open
    pending = {}          # id of a variable -> it: has a gradient that no step used yet
    strategy = None       # of tf.distribute, entered last
    batch = 0             # examples of the batch that a step was given last
    numbers_examples = False  # a plain number of that size stands for the examples
    replica = 0           # calls of strategy.run around this line
    fetched = False
    host = 0              # functions of pipelines that are being called
    batches_of = None     # whether the batch that was noted last comes of shuffled data


state = _State()
_call = [None, None]


def _holds(values):
    for v in values:
        if isinstance(v, _call[1]):
            return True
        if isinstance(v, (list, tuple)):
            if _holds(v):
                return True
        elif isinstance(v, dict) and _holds(v.values()):
            return True
    return False


def holds_keras_tensor(args, kwargs=None):
    """Whether a KerasTensor is among the arguments."""
    if _call[1] is None:
        from tensorflow._tensor import KerasTensor
        _call[1] = KerasTensor
    return _holds(args) or bool(kwargs) and _holds(kwargs.values())


def node_call(function, args, kwargs):
    if _call[0] is None:
        from keras._node import call
        _call[0] = call
    return _call[0](function, args, kwargs)


def public(function):
    """The function; of KerasTensors it makes a node of a functional model."""
    def wrapper(*args, **kwargs):
        if state.keras_tensors and not state.inside and holds_keras_tensor(args, kwargs):
            return node_call(function, args, kwargs)
        return function(*args, **kwargs)
    wrapper.__name__ = getattr(function, "__name__", "function")
    wrapper.__wrapped__ = function
    return wrapper


def export(names, table, older=None):
    """For `__getattr__` of a module: finds what `table` says, makes it public and keeps it.

    `table` gives for a name the module that holds it, or "module:name in it"; `older` is the
    module of TensorFlow 1 that is asked for other names.
    """
    import importlib

    def find(name):
        if name == "__all__":
            return [n for n in list(table) + list(names) if n[:1] != "_"]
        place = table.get(name)
        if place is None:
            found = _older(older, name)
        else:
            module, _, inner = place.partition(":")
            found = getattr(importlib.import_module("tensorflow." + module), inner or name)
            if type(found) is type(public):
                found = public(found)
        names[name] = found
        return found
    return find


def _older(module, name):
    if module is None or name[:1] == "_" or module in _asked:
        raise AttributeError(name)
    import importlib
    import _tilewise
    _asked.append(module)  # which asks this module in turn for what it lacks
    try:
        held = importlib.import_module("tensorflow." + module)
        found = _tilewise.unknown("") if _tilewise.is_unknown(held) else getattr(held, name)
    finally:
        _asked.remove(module)
    if _tilewise.is_unknown(found):
        raise AttributeError(name)
    return found


_asked = []
