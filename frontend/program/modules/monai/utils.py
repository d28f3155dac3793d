from _tilewise_nothing import module

_other = module("monai.utils")


def set_determinism(*args, **kwargs):
    pass


def first(iterable, default=None):
    for value in iterable:
        return value
    return default


def __getattr__(name):
    return _other(name)
