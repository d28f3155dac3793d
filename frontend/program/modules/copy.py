"""Shallow and deep copies."""

import sys

import _tilewise


class Error(Exception):
    pass


_ATOMS = (type(None), int, float, bool, complex, str, bytes, type, range, type(len),
          type(lambda: 0), type(...), property, type(sys))


def _blank(cls, value):
    if isinstance(value, dict):
        return dict.__new__(cls)
    if isinstance(value, list):
        return list.__new__(cls)
    if isinstance(value, set):
        return set.__new__(cls)
    return object.__new__(cls)


def copy(x):
    if _tilewise.is_unknown(x):
        return x
    cls = type(x)
    if cls is list or cls is dict or cls is set or cls is bytearray:
        return x.copy()
    if cls in _ATOMS or cls is tuple or cls is frozenset or isinstance(x, type):
        return x
    if hasattr(cls, "__copy__"):
        return x.__copy__()
    if isinstance(x, tuple) or not hasattr(x, "__dict__"):
        return x
    made = _blank(cls, x)
    if isinstance(x, (dict, set)):
        made.update(x)
    elif isinstance(x, list):
        made.extend(x)
    _restore(made, x, x.__dict__)
    return made


def _restore(made, x, state):
    if hasattr(type(x), "__setstate__"):
        if hasattr(type(x), "__getstate__"):
            state = x.__getstate__()
        made.__setstate__(state)
    else:
        made.__dict__.update(state)


def deepcopy(x, memo=None, _nil=[]):
    if _tilewise.is_unknown(x):
        return x
    cls = type(x)
    if cls in _ATOMS or isinstance(x, type):
        return x
    if memo is None:
        memo = {}
    key = id(x)
    if key in memo:
        return memo[key][0]
    if cls is list:
        made = []
        memo[key] = (made, x)
        for item in x:
            made.append(deepcopy(item, memo))
        return made
    if cls is dict:
        made = {}
        memo[key] = (made, x)
        for name, item in x.items():
            made[deepcopy(name, memo)] = deepcopy(item, memo)
        return made
    if cls is tuple:
        items = [deepcopy(item, memo) for item in x]
        same = True
        for old, new in zip(x, items):
            if old is not new:
                same = False
                break
        made = x if same else tuple(items)
        memo[key] = (made, x)
        return made
    if cls is set or cls is frozenset:
        made = cls([deepcopy(item, memo) for item in x])
        memo[key] = (made, x)
        return made
    if hasattr(cls, "__deepcopy__"):
        made = x.__deepcopy__(memo)
        memo[key] = (made, x)
        return made
    if hasattr(x, "__self__") and hasattr(x, "__func__"):
        return cls(x.__func__, deepcopy(x.__self__, memo))
    if isinstance(x, tuple):
        return tuple.__new__(cls, [deepcopy(item, memo) for item in x])
    if not hasattr(x, "__dict__"):
        return x
    made = _blank(cls, x)
    memo[key] = (made, x)
    state = {name: deepcopy(value, memo) for name, value in x.__dict__.items()}
    _restore(made, x, state)
    if isinstance(x, dict):
        for name, item in x.items():
            made[deepcopy(name, memo)] = deepcopy(item, memo)
    elif isinstance(x, (list, set)):
        for item in x:
            (made.append if isinstance(x, list) else made.add)(deepcopy(item, memo))
    return made


def replace(obj, /, **changes):
    return obj.__replace__(**changes)
