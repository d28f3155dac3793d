"""Arguments that functions take from the scopes around their calls."""

_STACK = [{}]


def _key(function):
    return getattr(function, "_key_op", None) or id(function)


def add_arg_scope(function):
    def with_scope(*args, **kw):
        held = _STACK[-1].get(with_scope._key_op)
        if held:
            kw = {**held, **kw}
        return function(*args, **kw)
    with_scope._key_op = getattr(function, "__module__", "") + "." + getattr(
        function, "__name__", "function") + str(id(function))
    with_scope.__name__ = getattr(function, "__name__", "function")
    with_scope.__wrapped__ = function
    return with_scope


def has_arg_scope(function):
    return hasattr(function, "_key_op")


def current_arg_scope():
    return _STACK[-1]


def arg_scoped_arguments(function):
    return ()


class arg_scope:
    def __init__(self, list_ops_or_scope, **kwargs):
        if isinstance(list_ops_or_scope, dict):
            self.made = dict(list_ops_or_scope)
            return
        if not isinstance(list_ops_or_scope, (list, tuple)):
            list_ops_or_scope = [list_ops_or_scope]
        self.made = None
        self.ops, self.kwargs = list_ops_or_scope, kwargs

    def __enter__(self):
        made = self.made
        if made is None:
            made = dict(_STACK[-1])
            for function in self.ops:
                key = _key(function)
                made[key] = {**made.get(key, {}), **self.kwargs}
        _STACK.append(made)
        return made

    def __exit__(self, kind, value, trace):
        _STACK.pop()
        return False

    def __call__(self, function):
        def inside(*args, **kw):
            with self:
                return function(*args, **kw)
        return inside
