import _tilewise


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return lambda *args, **kwargs: _tilewise.unknown("a metric of training")
