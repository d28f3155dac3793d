"""Classes whose methods come from their annotations."""

import _tilewise


class _Missing:
    def __repr__(self):
        return "<dataclasses._MISSING_TYPE object>"


MISSING = _Missing()
_MISSING_TYPE = _Missing


class _KwOnly:
    pass


KW_ONLY = _KwOnly()


class FrozenInstanceError(AttributeError):
    pass


class InitVar:
    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, item):
        return InitVar(item)


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = metadata or {}
        self.kw_only = kw_only
        self._kind = "field"

    def __repr__(self):
        return (f"Field(name={self.name!r},type={self.type!r},default={self.default!r},"
                f"default_factory={self.default_factory!r},init={self.init!r},"
                f"repr={self.repr!r},hash={self.hash!r},compare={self.compare!r},"
                f"metadata={self.metadata!r},kw_only={self.kw_only!r},_field_type=_FIELD)")


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None,
          compare=True, metadata=None, kw_only=MISSING, **kwargs):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


_ABSTRACT = ("AbstractVar", "AbstractClassVar")  # of equinox: what classes below have


def _kind_of(kind):
    if _tilewise.is_unknown(kind):
        return "field"
    if isinstance(kind, str):
        head = kind.split("[")[0].split(".")[-1].strip()
        return "abstract" if head in _ABSTRACT else \
            {"ClassVar": "class", "InitVar": "init", "KW_ONLY": "kw_only"}.get(head, "field")
    if getattr(kind, "__name__", None) in _ABSTRACT:
        return "abstract"
    if kind is KW_ONLY:
        return "kw_only"
    if isinstance(kind, InitVar) or kind is InitVar:
        return "init"
    form = getattr(kind, "_form", kind)
    if getattr(form, "_name", None) == "ClassVar":
        return "class"
    return "field"


def _collect(cls, kw_only):
    table = {}
    for base in reversed(cls.__mro__[1:]):
        table.update(base.__dict__.get("__dataclass_fields__") or {})
    for name, kind in (cls.__dict__.get("__annotations__") or {}).items():
        role = _kind_of(kind)
        if role == "kw_only":
            kw_only = True
        if role in ("kw_only", "abstract"):
            continue
        default = cls.__dict__.get(name, MISSING)
        if isinstance(default, Field):
            one = default
            if one.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, one.default)
        else:
            if type(default) in (list, dict, set) and role == "field":
                raise ValueError(f"mutable default {type(default)} for field {name} is not "
                                 "allowed: use default_factory")
            one = Field(default, MISSING, True, True, None, True, None, MISSING)
        one.name, one.type, one._kind = name, kind, role
        if one.kw_only is MISSING:
            one.kw_only = kw_only
        table[name] = one
    return table


def _make_init(cls, table, frozen):
    chosen = [f for f in table.values() if f._kind != "class"]
    order = [f.name for f in chosen if f.init and not f.kw_only]
    post = hasattr(cls, "__post_init__")
    optional = False
    for f in chosen:
        if f.init and not f.kw_only:
            if f.default is not MISSING or f.default_factory is not MISSING:
                optional = True
            elif optional:
                raise TypeError(f"non-default argument {f.name!r} follows default argument")

    accepted = set([f.name for f in chosen if f.init])
    # In the order of the fields; what has no default is set below.
    defaults = {f.name: None if f.default is MISSING else f.default for f in chosen}
    defaults = {} if any([not f.init and f.default is MISSING for f in chosen]) else defaults
    factories = [(f.name, f.default_factory) for f in chosen if f.default_factory is not MISSING]
    required = set([f.name for f in chosen if f.init and f.default is MISSING and
                    f.default_factory is MISSING])
    simple = defaults and all([f._kind == "field" and not isinstance(f.default, property)
                               for f in chosen])

    def __init__(self, /, *args, **kwargs):
        if simple and len(args) <= len(order) and (
                frozen or type(self).__setattr__ is object.__setattr__):
            given = dict(zip(order, args))
            if len(args) + len(kwargs) == len(set(given) | set(kwargs)) and \
                    set(kwargs) <= accepted and required <= set(given) | set(kwargs):
                own = self.__dict__
                own.update(defaults)
                for name, factory in factories:
                    if name not in kwargs and name not in given:
                        own[name] = factory()
                own.update(given)
                own.update(kwargs)
                if post:
                    self.__post_init__()
                return
        if len(args) > len(order):
            raise TypeError(f"{cls.__name__}.__init__() takes {len(order) + 1} positional "
                            f"arguments but {len(args) + 1} were given")
        given = dict(zip(order, args))
        for name, value in kwargs.items():
            if name in given:
                raise TypeError(f"{cls.__name__}.__init__() got multiple values for argument "
                                f"'{name}'")
            if name not in table or not table[name].init or table[name]._kind == "class":
                raise TypeError(f"{cls.__name__}.__init__() got an unexpected keyword argument "
                                f"'{name}'")
            given[name] = value
        extra = []
        missing = []
        for f in chosen:
            name = f.name
            if name in given:
                value = given[name]
            elif f.default_factory is not MISSING:
                value = f.default_factory()
            elif f.default is not MISSING:
                value = f.default
            else:
                if f.init:
                    missing.append(name)
                continue
            if f._kind == "init":
                extra.append(value)
            elif frozen:
                object.__setattr__(self, name, value)
            else:
                setattr(self, name, value)
        if missing:
            names = ", ".join([f"'{n}'" for n in missing])
            raise TypeError(f"{cls.__name__}.__init__() missing {len(missing)} required "
                            f"positional arguments: {names}")
        if post:
            self.__post_init__(*extra)

    __init__._dataclass_fields = chosen
    return __init__


def _values(self, names):
    return tuple([getattr(self, name) for name in names])


def _process(cls, init, repr_, eq, order, unsafe_hash, frozen, kw_only, slots=False):
    own = cls.__dict__
    table = _collect(cls, kw_only)
    cls.__dataclass_fields__ = table
    plain = [f for f in table.values() if f._kind == "field"]
    shown = [f.name for f in plain if f.repr]
    compared = [f.name for f in plain if f.compare]
    frozen = frozen or any(getattr(b, "_dataclass_frozen", False) for b in cls.__mro__[1:])
    cls._dataclass_frozen = frozen
    if slots and "__slots__" not in own:
        cls.__slots__ = tuple([f.name for f in plain])
    if init and "__init__" not in own:
        made = _make_init(cls, table, frozen)
        made.__qualname__ = cls.__qualname__ + ".__init__"
        cls.__init__ = made
    if "__match_args__" not in own:
        cls.__match_args__ = tuple([f.name for f in plain if f.init and not f.kw_only])
    if repr_ and "__repr__" not in own:
        def __repr__(self):
            inside = ", ".join([f"{n}={getattr(self, n)!r}" for n in shown])
            return f"{type(self).__qualname__}({inside})"
        cls.__repr__ = __repr__
    has_hash = own.get("__hash__") is not None
    if eq and "__eq__" not in own:
        def __eq__(self, other):
            if other.__class__ is not self.__class__:
                return NotImplemented
            return _values(self, compared) == _values(other, compared)
        cls.__eq__ = __eq__
    if not has_hash and (unsafe_hash or (eq and frozen)):
        hashed = [f.name for f in plain if (f.compare if f.hash is None else f.hash)]
        cls.__hash__ = lambda self: hash(_values(self, hashed))
    elif eq and not has_hash:
        cls.__hash__ = None
    if order:
        cls.__lt__ = lambda self, other: _values(self, compared) < _values(other, compared)
        cls.__le__ = lambda self, other: _values(self, compared) <= _values(other, compared)
        cls.__gt__ = lambda self, other: _values(self, compared) > _values(other, compared)
        cls.__ge__ = lambda self, other: _values(self, compared) >= _values(other, compared)
    if frozen:
        def __setattr__(self, name, value):
            if type(self) is cls or name in table:
                raise FrozenInstanceError(f"cannot assign to field {name!r}")
            super(cls, self).__setattr__(name, value)

        def __delattr__(self, name):
            if type(self) is cls or name in table:
                raise FrozenInstanceError(f"cannot delete field {name!r}")
            super(cls, self).__delattr__(name)
        cls.__setattr__ = __setattr__
        cls.__delattr__ = __delattr__
    return cls


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False,
              frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    if cls is None:
        return lambda c: _process(c, init, repr, eq, order, unsafe_hash, frozen, kw_only,
                                  slots)
    return _process(cls, init, repr, eq, order, unsafe_hash, frozen, kw_only, slots)


def fields(thing):
    table = getattr(thing, "__dataclass_fields__", None)
    if table is None and hasattr(thing, "_field_table"):  # a module of flax.linen
        table = (thing if isinstance(thing, type) else type(thing))._field_table()
    if table is None:
        raise TypeError("must be called with a dataclass type or instance")
    return tuple([f for f in table.values() if f._kind == "field"])


def is_dataclass(thing):
    import _tilewise
    return not _tilewise.is_unknown(thing) and (
        hasattr(thing, "__dataclass_fields__") or hasattr(thing, "_field_table"))


def _convert(value, factory):
    import _tilewise
    if _tilewise.is_unknown(value):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return factory([(f.name, _convert(getattr(value, f.name), factory))
                        for f in fields(value)])
    if isinstance(value, dict):
        pairs = [(_convert(k, factory), _convert(v, factory)) for k, v in value.items()]
        return type(value)(pairs) if not hasattr(value, "default_factory") else dict(pairs)
    if isinstance(value, (list, tuple)):
        items = [_convert(v, factory) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    import copy
    return copy.deepcopy(value)


def asdict(obj, *, dict_factory=dict):
    import _tilewise
    if _tilewise.is_unknown(obj):
        return obj
    if not is_dataclass(obj) or isinstance(obj, type):
        raise TypeError("asdict() should be called on dataclass instances")
    return _convert(obj, dict_factory)


def astuple(obj, *, tuple_factory=tuple):
    return _convert(obj, lambda pairs: tuple_factory([v for _, v in pairs]))


def replace(obj, /, **changes):
    for f in obj.__dataclass_fields__.values():
        if f._kind == "class":
            continue
        if not f.init:
            if f.name in changes:
                raise ValueError(f"field {f.name} is declared with init=False")
            continue
        if f.name not in changes:
            if f._kind == "init" and f.default is MISSING:
                raise ValueError(f"InitVar {f.name!r} must be specified with replace()")
            changes[f.name] = getattr(obj, f.name)
    return type(obj)(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **kwargs):
    body = dict(namespace or {})
    annotations = {}
    for one in fields:
        if isinstance(one, str):
            annotations[one] = object
        else:
            annotations[one[0]] = one[1]
            if len(one) > 2:
                body[one[0]] = one[2]
    body["__annotations__"] = annotations
    return dataclass(type(cls_name, tuple(bases), body), **kwargs)
