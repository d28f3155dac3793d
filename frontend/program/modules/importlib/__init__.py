"""Imports by name."""

import _python


def import_module(name, package=None):
    return _python.import_module(name, package)


def reload(module):
    return module


def invalidate_caches():
    pass


def __getattr__(name):
    if name in ("util", "metadata", "machinery", "resources", "abc"):
        return _python.import_module("importlib." + name, None)
    raise AttributeError(f"module 'importlib' has no attribute {name!r}")
