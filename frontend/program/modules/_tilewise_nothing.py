"""Modules whose results matter to nothing that is compiled."""

import _tilewise


def module(path):
    """What such a module gives for any name."""
    def get(name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _tilewise.unknown(f"{path}.{name}")
    return get
