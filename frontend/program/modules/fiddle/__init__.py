"""fiddle: calls that are written down, changed, and made later."""

import functools


class Buildable:
    def __init__(self, fn_or_cls, *args, **kwargs):
        self.__dict__["__fn_or_cls__"] = fn_or_cls
        self.__dict__["__arguments__"] = kwargs
        self.__dict__["__positional__"] = args

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        arguments = self.__dict__["__arguments__"]
        if name not in arguments:
            raise AttributeError(name)
        return arguments[name]

    def __setattr__(self, name, value):
        self.__dict__["__arguments__"][name] = value

    def __class_getitem__(cls, item):
        return cls

    def _built(self):
        args = [build(v) for v in self.__dict__["__positional__"]]
        return args, build(self.__dict__["__arguments__"])


class Config(Buildable):
    def __build__(self):
        args, kwargs = self._built()
        return self.__dict__["__fn_or_cls__"](*args, **kwargs)


class Partial(Buildable):
    def __build__(self):
        args, kwargs = self._built()
        return functools.partial(self.__dict__["__fn_or_cls__"], *args, **kwargs)


ArgFactory = Partial


def build(value):
    if isinstance(value, Buildable):
        return value.__build__()
    if isinstance(value, dict):
        return {k: build(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)([build(v) for v in value])
    return value


def cast(new_type, buildable):
    return new_type(buildable.__dict__["__fn_or_cls__"], *buildable.__dict__["__positional__"],
                    **buildable.__dict__["__arguments__"])


def get_callable(buildable):
    return buildable.__dict__["__fn_or_cls__"]
