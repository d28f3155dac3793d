"""No network."""


def __getattr__(name):
    if name in ("request", "parse", "error"):
        import importlib
        return importlib.import_module("urllib." + name)
    raise AttributeError(f"module 'urllib' has no attribute {name!r}")
