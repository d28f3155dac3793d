"""Modules: dataclasses that are trees."""

import dataclasses

from jax import _tree


def field(*, converter=None, static=False, **kwargs):
    metadata = dict(kwargs.pop("metadata", {}))
    metadata["static"], metadata["converter"] = static, converter
    return dataclasses.field(metadata=metadata, **kwargs)


def static_field(**kwargs):
    return field(static=True, **kwargs)


def _class_getitem(cls, item):
    return cls


class AbstractVar:
    __class_getitem__ = classmethod(_class_getitem)


class AbstractClassVar:
    __class_getitem__ = classmethod(_class_getitem)


def _own_init(cls):
    """Whether a class, or one above it, writes its constructor itself."""
    for base in cls.__mro__:
        if base is Module:
            return False
        if "__init__" in base.__dict__:
            return not base.__dict__.get("_made_init", False)
    return False


class Module:
    def __init_subclass__(cls, strict=False, **kwargs):
        own = "__init__" in cls.__dict__ or _own_init(cls)
        dataclasses.dataclass(cls, init=not own, eq=False, repr=False)
        cls._made_init = not own
        kinds = dataclasses.fields(cls)
        dynamic = [f.name for f in kinds if not f.metadata.get("static")]
        static = [f.name for f in kinds if f.metadata.get("static")]

        def flat(x):
            own = x.__dict__
            names = [n for n in dynamic if n in own]
            return [own[n] for n in names], (names, [(n, own[n]) for n in static if n in own])

        def back(data, children):
            new = object.__new__(cls)
            names, rest = data
            for n, v in zip(names, children):
                object.__setattr__(new, n, v)
            for n, v in rest:
                object.__setattr__(new, n, v)
            return new
        _tree.register(cls, flat, back, None, lambda x: [n for n in dynamic if n in x.__dict__])

    def __class_getitem__(cls, item):
        return cls

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other

    def __repr__(self):
        return type(self).__name__ + "(...)"


class Partial(Module):
    def __init__(self, func, /, *args, **keywords):
        self.func, self.args, self.keywords = func, args, keywords

    func: object
    args: object
    keywords: object

    def __call__(self, *args, **kwargs):
        return self.func(*self.args, *args, **{**kwargs, **self.keywords})


def module_update_wrapper(wrapper, *args, **kwargs):
    return wrapper
