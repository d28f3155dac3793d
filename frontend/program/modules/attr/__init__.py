"""Classes whose methods come from their fields, over dataclasses."""

import dataclasses

NOTHING = dataclasses.MISSING
_counter = [0]


class Factory:
    def __init__(self, factory, takes_self=False):
        self.factory = factory
        self.takes_self = takes_self


class _Attribute:
    def __init__(self, default, converter, options):
        _counter[0] += 1
        self.order = _counter[0]
        self.default_value = default
        self.converter = converter
        self.options = options
        self.default_method = None

    def default(self, method):
        self.default_method = method
        return method

    def validator(self, method):
        return method


def ib(default=NOTHING, validator=None, repr=True, hash=None, init=True, metadata=None,
       type=None, converter=None, factory=None, kw_only=False, eq=True, **kwargs):
    if factory is not None:
        default = Factory(factory)
    return _Attribute(default, converter, {"repr": repr, "init": init, "kw_only": kw_only,
                                           "metadata": metadata, "compare": bool(eq)})


attrib = field = ib


def _take_public_names(cls):
    """__init__() has the names of private fields without their underscores."""
    private = {f.name.lstrip("_"): f.name for f in dataclasses.fields(cls)
               if f.name.startswith("_")}
    made = cls.__init__
    if not private or not hasattr(made, "_dataclass_fields"):
        return

    def __init__(self, /, *args, **kwargs):
        made(self, *args, **{private.get(name, name): value for name, value in kwargs.items()})
    __init__._dataclass_fields = made._dataclass_fields
    cls.__init__ = __init__


def s(cls=None, *, frozen=False, kw_only=False, auto_attribs=True, order=False, init=True,
      repr=True, eq=True, slots=False, **kwargs):
    def decorate(cls):
        hints = cls.__dict__.get("__annotations__") or {}
        found = {n: v for n, v in cls.__dict__.items() if isinstance(v, _Attribute)}
        names = [n for n in hints] + [n for n in found if n not in hints]
        converters, late = {}, {}
        cls.__annotations__ = {n: hints.get(n, object) for n in names}
        for name, one in found.items():
            options = {k: v for k, v in one.options.items() if v is not None}
            value = one.default_value
            if one.default_method is not None:
                late[name] = one.default_method
                options["default"] = None
            elif isinstance(value, Factory):
                options["default_factory"] = value.factory
            elif value is not NOTHING:
                options["default"] = value
            if one.converter is not None:
                converters[name] = one.converter
            setattr(cls, name, dataclasses.field(**options))
        if kw_only:
            for name in names:
                if isinstance(cls.__dict__.get(name), dataclasses.Field):
                    cls.__dict__[name].kw_only = True
        after = cls.__dict__.get("__attrs_post_init__")

        def __post_init__(self):
            for name, method in late.items():
                if getattr(self, name) is None:
                    object.__setattr__(self, name, method(self))
            for name, convert in converters.items():
                object.__setattr__(self, name, convert(getattr(self, name)))
            if after is not None:
                after(self)
        cls.__post_init__ = __post_init__
        made = dataclasses.dataclass(cls, frozen=frozen, kw_only=kw_only, order=order, eq=eq,
                                     repr=repr, init=init)
        made.__attrs_attrs__ = dataclasses.fields(made)
        _take_public_names(made)
        return made
    return decorate if cls is None else decorate(cls)


attrs = define = mutable = dataclass = s


def frozen(cls=None, **kwargs):
    return s(frozen=True, **kwargs) if cls is None else s(cls, frozen=True, **kwargs)


def asdict(thing, recurse=True, **kwargs):
    return dataclasses.asdict(thing)


def astuple(thing, **kwargs):
    return dataclasses.astuple(thing)


def fields(cls):
    return dataclasses.fields(cls)


def evolve(thing, **changes):
    return dataclasses.replace(thing, **changes)


def has(cls):
    return dataclasses.is_dataclass(cls)


class _Any:
    def __getattr__(self, name):
        return lambda *args, **kwargs: None


validators = _Any()


class converters:
    @staticmethod
    def optional(converter):
        return lambda value: None if value is None else converter(value)
