"""Versions of packages."""

__version__ = "24.0"


def __getattr__(name):
    if name in ("version", "specifiers"):
        import importlib
        return importlib.import_module("packaging." + name)
    raise AttributeError(f"module 'packaging' has no attribute {name!r}")
