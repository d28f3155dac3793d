def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    from ignite.handlers import Handler
    return Handler
