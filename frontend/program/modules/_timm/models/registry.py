"""Models that a program registers under their names."""

_entrypoints = {}


def register_model(fn):
    _entrypoints[fn.__name__] = fn
    return fn


def is_model(model_name):
    return model_name in _entrypoints


def model_entrypoint(model_name, module_filter=None):
    return _entrypoints[model_name]


def list_models(filter="", *args, **kwargs):
    return sorted(_entrypoints)
