from ignite.handlers import Handler


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Handler
