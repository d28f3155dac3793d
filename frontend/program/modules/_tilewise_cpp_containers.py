"""What changes containers of C++: what these functions put into them, the program puts there."""

import _tilewise

__containers__ = True


def copy(value):
    return value.copy() if isinstance(value, (list, dict)) else value


def m_push_back(x, *values):
    if hasattr(x, "add_module"):
        module = values[-1]
        if _tilewise.is_unknown(module):
            _tilewise.note("a part of a module is not known: " + _tilewise.reason(module))
        x.add_module(values[0] if len(values) > 1 else str(len(x)), module)
    else:
        x.append(values[0])


def m_emplace_back(x, *values):
    x.append(values[0] if len(values) == 1 else values)


def m_pop_back(x):
    x.pop()


def m_push_front(x, value):
    x.insert(0, value)


def m_pop_front(x):
    x.pop(0)


def m_erase(x, where, *end):
    """An entry by its key, or the element at a place: which one it is does not matter."""
    if isinstance(x, dict):
        x.pop(where, None)
    elif len(x) > 0:
        x.pop(0)


def m_clear(x):
    x.clear()


def m_assign(x, first, last=None):
    """So many values, a list, or what is from one place of a range to another."""
    if _tilewise.is_unknown(first):
        x.clear()
        x.extend(first)
        return
    if isinstance(first, str):
        return
    if isinstance(first, int):
        items = [last for _ in range(first)]
    else:
        items = list(first)
        if _tilewise.is_unknown(last):
            _tilewise.note("the end of a range is not known; the range is taken whole")
    x.clear()
    x.extend(items)


def m_resize(x, n, value=0):
    if _tilewise.is_unknown(n):
        x.clear()
        x.extend([copy(value) for _ in range(n)])
        return
    while len(x) > n:
        x.pop()
    while len(x) < n:
        x.append(copy(value))


def m_insert(x, where, *values):
    if isinstance(x, dict):
        x[where[0]] = where[1]
    elif len(values) == 2:
        x.extend(values[0])
    elif isinstance(where, str):
        x[where] = values[0]
    else:
        x.insert(0 if where is x else where, values[0])


def filled(values, end, value):
    for i in range(len(values)):
        values[i] = value


def counted_up(values, end, first):
    for i in range(len(values)):
        values[i] = first + i


class Inserter:
    """std::back_inserter: what is written there goes behind the last element."""

    def __init__(self, values):
        self.values = values


def copied(values, end, target, *more):
    if isinstance(target, Inserter) and not _tilewise.is_unknown(target.values):
        target.values.extend(values)


def transformed(values, end, target, function, *more):
    if isinstance(target, Inserter) and not _tilewise.is_unknown(target.values):
        target.values.extend([function(value) for value in values])
