"""Functions of the keras_applications package, which take the modules of Keras as keywords."""

_MODULES = ("backend", "layers", "models", "utils")


def like(function):
    def made(*args, **kwargs):
        return function(*args, **{k: v for k, v in kwargs.items() if k not in _MODULES})
    made.__name__ = function.__name__
    return made
