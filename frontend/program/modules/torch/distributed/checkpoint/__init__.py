"""Checkpoints are neither written nor read."""


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name[0].isupper():
        return type(name, (_Part,), {})
    return lambda *args, **kwargs: {}


class _Part:
    def __init__(self, *args, **kwargs):
        pass
