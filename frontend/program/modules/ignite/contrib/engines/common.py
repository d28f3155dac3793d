"""What is attached to a trainer changes no step."""

from ignite.handlers import Handler


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *args, **kwargs: Handler()
