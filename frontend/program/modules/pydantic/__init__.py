"""Models with checked fields; here fields are only filled and simply converted."""

__version__ = VERSION = "2.7.0"


class ValidationError(ValueError):
    pass


class _Missing:
    pass


class FieldInfo:
    def __init__(self, default=_Missing, default_factory=None, alias=None, **kwargs):
        self.default = _Missing if default is ... else default
        self.default_factory = default_factory
        self.alias = alias
        self.annotation = None
        self.description = kwargs.get("description")

    def is_required(self):
        return self.default is _Missing and self.default_factory is None


def Field(default=_Missing, **kwargs):
    return FieldInfo(default, **kwargs)


def PrivateAttr(default=None, default_factory=None, **kwargs):
    return FieldInfo(default, default_factory)


class ConfigDict(dict):
    pass


def _convert(kind, value):
    if isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind(**value)
    args = getattr(kind, "__args__", None)
    if args:
        if isinstance(value, dict):
            for one in args:
                if isinstance(one, type) and issubclass(one, BaseModel):
                    return one(**value)
        origin = getattr(kind, "__origin__", None)
        if isinstance(value, list) and origin in (list, tuple):
            return origin([_convert(args[0], v) for v in value])
        return value
    if kind in (int, float) and isinstance(value, (str, int, float)) and not isinstance(
            value, bool):
        try:
            return kind(value)
        except ValueError:
            raise ValidationError(f"{value!r} is not a valid {kind.__name__}") from None
    if hasattr(kind, "_members") and not isinstance(value, kind):
        return kind(value)
    return value


class BaseModel:
    model_fields = {}
    __private = {}
    _checks = ()

    def __init_subclass__(cls, **kwargs):
        fields, checks = {}, []
        for base in reversed(cls.__mro__[1:]):
            fields.update(base.__dict__.get("model_fields") or {})
            checks += [c for c in base.__dict__.get("_checks") or () if c not in checks]
        for name, kind in (cls.__dict__.get("__annotations__") or {}).items():
            text = kind if isinstance(kind, str) else getattr(
                getattr(kind, "_form", kind), "_name", "")
            if name.startswith("_") or "ClassVar" in str(text) or name == "model_config":
                continue
            one = cls.__dict__.get(name, _Missing)
            info = one if isinstance(one, FieldInfo) else FieldInfo(one)
            info.annotation = kind
            fields[name] = info
        for value in list(cls.__dict__.values()):
            role = getattr(value, "_pydantic", None) or getattr(
                getattr(value, "__func__", None), "_pydantic", None)
            if role is not None:
                checks.append((role, value))
        cls.model_fields = fields
        cls.__fields__ = fields
        cls._checks = checks

    def __init__(self, /, **data):
        cls = type(self)
        for (kind, names, mode), function in self._checks:
            if kind == "model" and mode == "before":
                data = getattr(function, "__func__", function)(cls, data)
        store = self.__dict__
        for name, info in self.model_fields.items():
            key = info.alias if info.alias in data else name
            if key in data:
                value = _convert(info.annotation, data.pop(key))
            elif info.default_factory is not None:
                value = info.default_factory()
            elif info.default is not _Missing:
                value = info.default
                if isinstance(value, (list, dict, set)):
                    value = value.copy()
            else:
                raise ValidationError(f"{cls.__name__}: field {name!r} is required")
            for (kind, names, mode), function in self._checks:
                if kind == "field" and (name in names or "*" in names):
                    value = getattr(function, "__func__", function)(cls, value)
            store[name] = value
        config = getattr(cls, "model_config", None) or {}
        inner = getattr(cls, "Config", None)
        if config.get("extra") == "allow" or getattr(inner, "extra", None) == "allow":
            store.update(data)
        for (kind, names, mode), function in self._checks:
            if kind == "model" and mode == "after":
                function(self)
        self.model_post_init(None)

    def model_post_init(self, context):
        pass

    def model_dump(self, *, exclude_none=False, exclude=None, include=None, **kwargs):
        out = {}
        for name in self.model_fields:
            value = self.__dict__[name]
            if (exclude and name in exclude) or (include and name not in include) or (
                    exclude_none and value is None):
                continue
            if isinstance(value, BaseModel):
                value = value.model_dump()
            elif isinstance(value, list):
                value = [v.model_dump() if isinstance(v, BaseModel) else v for v in value]
            out[name] = value
        return out

    dict = model_dump

    def model_dump_json(self, *, indent=None, **kwargs):
        import json
        return json.dumps(self.model_dump(), indent=indent)

    json = model_dump_json

    def model_copy(self, *, update=None, deep=False):
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.__dict__.update(update or {})
        return made

    copy = model_copy

    @classmethod
    def model_validate(cls, value, **kwargs):
        return value if isinstance(value, cls) else cls(**value)

    parse_obj = model_validate

    @classmethod
    def model_construct(cls, **values):
        return cls(**values)

    @classmethod
    def model_validate_json(cls, text):
        import json
        return cls(**json.loads(text))

    parse_raw = model_validate_json

    @classmethod
    def model_rebuild(cls, **kwargs):
        pass

    update_forward_refs = model_rebuild

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __iter__(self):
        return iter(self.__dict__.items())

    def __repr__(self):
        inside = ", ".join([f"{n}={self.__dict__[n]!r}" for n in self.model_fields])
        return f"{type(self).__name__}({inside})"

    def __str__(self):
        return " ".join([f"{n}={self.__dict__[n]!r}" for n in self.model_fields])

    def __class_getitem__(cls, item):
        return cls


BaseSettings = BaseModel


def _mark(kind, names, mode):
    def decorate(function):
        target = getattr(function, "__func__", function)
        target._pydantic = (kind, names, mode)
        return function
    return decorate


def validator(*names, **kwargs):
    return _mark("field", names, "after")


def field_validator(*names, mode="after", **kwargs):
    return _mark("field", names, mode)


def model_validator(*, mode="after"):
    return _mark("model", (), mode)


def root_validator(*args, pre=False, **kwargs):
    if args and callable(args[0]):
        return args[0]
    return lambda function: function


def computed_field(function=None, **kwargs):
    return function if function is not None else lambda f: f


field_serializer = model_serializer = lambda *args, **kwargs: (lambda function: function)


def validate_call(function=None, **kwargs):
    return function if function is not None else lambda f: f


def conint(**kwargs):
    return int


def confloat(**kwargs):
    return float


PositiveInt = NonNegativeInt = StrictInt = int
PositiveFloat = NonNegativeFloat = StrictFloat = float
StrictBool, StrictStr = bool, str
GenericModel = BaseModel


class Extra:
    allow, forbid, ignore = "allow", "forbid", "ignore"


def __getattr__(name):
    import typing
    return typing._Form(name)
