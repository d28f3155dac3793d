"""equinox.debug."""


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return lambda x=None, *args, **kwargs: x
