"""Functions that a pipeline calls for each element: they run here once, on stand-ins."""

import _tilewise
from tensorflow._public import state
from tensorflow.data import _element

_unk = _tilewise.is_unknown


def name_of(f):
    name = getattr(f, "__name__", None)
    if not isinstance(name, str):
        name = type(f).__name__
    return "" if name == "<lambda>" else name


class _Host:
    """What runs within costs the device nothing."""

    def __enter__(self):
        self.before = state.training, state.host
        state.host = self.before[1] + 1

    def __exit__(self, kind, value, trace):
        state.training, state.host = self.before
        return False


def given(thunk, what):
    """What a function of the program gives: leaves, and the kind of its source if a data set."""
    result = None
    try:
        with _Host():
            result = thunk()
    except Exception as error:
        return _failed(what, error), None
    if hasattr(result, "_leaves"):
        stages = result._stages
        return result._leaves, stages[0] if stages else None
    return _tilewise.unknown("what " + what + " yields"), None


def _failed(what, error):
    return _tilewise.unknown("what the function of " + what + " gives: " + type(error).__name__ +
                             ": " + str(error))


def _spread(f, element):
    """A tuple is as many arguments, anything else is one."""
    if type(element) is tuple:
        return f(*element)
    if _unk(element):
        return _of_unknown(f, element)
    return f(element)


def _of_unknown(f, element):
    """How many arguments the function takes tells what the element is a tuple of."""
    for n in range(1, 5):
        try:
            return f(*[element] * n)
        except TypeError as error:
            if "argument" not in str(error):
                raise
    return element


def applied(f, leaves, what):
    try:
        with _Host():
            result = _element.of_value(_spread(f, _element.stand_ins(leaves)))
    except Exception as error:
        return _failed(what, error)
    return _element.with_batch_of(_kept(result, leaves), leaves)


def _kept(result, leaves):
    """What a package that is not here makes of images is taken to keep their shapes."""
    if _unk(result):
        found = _element.leaf_of(leaves)
        one = len(_element.leaves(leaves)) == 1
        return found if one and _is_image(found) and _is_elsewhere(result) else result
    if not isinstance(result, tuple) or not isinstance(leaves, tuple):
        return result
    if _element.is_named(result) or len(result) != len(leaves):
        return result
    return tuple([b if _unk(a) and _is_elsewhere(a) and _is_image(b) else a
                  for a, b in zip(result, leaves)])


def _is_image(leaf):
    return _element.is_leaf(leaf) and leaf.shape is not None and len(leaf.shape) >= 3


def _is_elsewhere(unknown):
    if "is not on the search path" not in _tilewise.reason(unknown):
        return False
    _tilewise.note("what a package that is not here makes of images is taken to keep their shapes")
    return True


def inner_of(f, leaves, what):
    """Of flat_map and interleave."""
    return given(lambda: _spread(f, _element.stand_ins(leaves)), what)


def scanned(f, initial, leaves):
    try:
        with _Host():
            result = f(_element.stand_ins(_element.of_value(initial)), _element.stand_ins(leaves))
            return _element.of_value(result[1])
    except Exception as error:
        return _failed("scan", error)


def reduced(f, initial, dataset):
    """One round stands for all; its numbers are not those of the end."""
    element = dataset.feed()
    first = _element.stand_ins(_element.of_value(initial))
    result = f(first, element)
    return _element.mapped(_no_number, result)


def _no_number(x):
    if _unk(x) or not (isinstance(x, (bool, int, float)) or hasattr(x, "_h")):
        return x
    if hasattr(x, "_h") and _tilewise.numbers(x._h) is None:
        return x
    return _element.stand_in(_element.of_value(x))
