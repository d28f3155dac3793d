"""Names that once differed between two Pythons."""

from functools import wraps

PY2, PY3 = False, True
class_types = (type,)
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


def viewitems(d):
    return d.items()


def viewkeys(d):
    return d.keys()


def viewvalues(d):
    return d.values()


def ensure_text(text, *args):
    return text.decode() if isinstance(text, bytes) else text


def ensure_binary(text, *args):
    return text.encode() if isinstance(text, str) else text


def b(text):
    return text.encode()


def u(text):
    return text


def next(iterator):
    return iterator.__next__()


def get_method_self(method):
    return method.__self__


def python_2_unicode_compatible(cls):
    return cls


def raise_from(value, cause):
    raise value


def reraise(kind, value=None, trace=None):
    raise kind() if value is None else value


from . import moves
