"""Names that once differed between two Pythons."""

from functools import wraps

PY2, PY3 = False, True
string_types, integer_types, text_type, binary_type = (str,), (int,), str, bytes


def iteritems(d):
    return iter(d.items())


def iterkeys(d):
    return iter(d.keys())


def itervalues(d):
    return iter(d.values())


def add_metaclass(metaclass):
    return lambda cls: cls


def with_metaclass(meta, *bases):
    return type("temporary", bases or (object,), {})


def ensure_str(text, *args):
    return text.decode() if isinstance(text, bytes) else text


class moves:
    range, zip, map, input = range, zip, map, None
