"""torch.jit: what is scripted or traced is run as it is."""


def script(obj=None, *args, **kwargs):
    return obj


def _same(obj=None, *args, **kwargs):
    return obj if callable(obj) else lambda function: function


ignore = export = unused = script_if_tracing = interface = _same
_script_if_tracing = _overload = _overload_method = _same
freeze = optimize_for_inference = _same
trace = script
fork = lambda function, *args, **kwargs: function(*args, **kwargs)
wait = lambda future: future
Final = list
ScriptModule = object
ScriptFunction = object


def script_method(function):
    return function


def is_scripting():
    return False


is_tracing = is_scripting


def annotate(kind, value):
    return value


class Attribute:
    def __new__(cls, value, kind):
        return value


def load(f, map_location=None):
    import torch
    return torch.load(f)


def save(module, f):
    pass


class Error(RuntimeError):
    pass
