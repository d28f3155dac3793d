"""Names of what values may be."""

import _tilewise


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return name


def interval(lower, upper):
    return ("interval", lower, upper)


integer_interval = half_open_interval = interval


def greater_than(lower):
    return ("greater_than", lower)


greater_than_eq = less_than = greater_than
