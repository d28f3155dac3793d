"""Functions that nothing in a program calls, called once for the data sets that they make."""

import _python
import _tilewise

_instances = {}


def _unknown(name, function):
    return _tilewise.unknown("parameter `" + name + "` of " + function +
                             "(), which is never called")


def _arguments(function, name, skipped):
    positional, named = [], {}
    for parameter, kind, has_default, _ in _python.signature(function)[skipped:]:
        if has_default or kind in ("var_positional", "var_keyword"):
            continue
        if kind == "keyword_only":
            named[parameter] = _unknown(parameter, name)
        else:
            positional.append(_unknown(parameter, name))
    return positional, named


def _instance(owner):
    """One as good as any: made of arguments that are not known."""
    if owner in _instances:
        return _instances[owner]
    made = _tilewise.unknown("an instance of " + owner.__name__)
    _instances[owner] = made
    names = [c.__name__ for c in owner.__mro__]
    if "Layer" not in names and "Module" not in names:
        start = getattr(owner, "__init__", None)
        positional, named = _arguments(start, owner.__name__, 0)
        if positional and hasattr(start, "__code__"):
            positional = positional[1:]
        try:
            made = owner(*positional, **named)
        except Exception:
            made = object.__new__(owner)
    _instances[owner] = made
    return made


def call(function, owner, kind):
    """`kind`: how the class holds it."""
    name = function.__name__
    if owner is None or kind == "static":
        positional, named = _arguments(function, name, 0)
        return function(*positional, **named)
    first = owner if kind == "class" else _instance(owner)
    positional, named = _arguments(function, name, 1)
    return function(first, *positional, **named)
