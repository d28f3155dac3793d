"""Annotations: everything can be written and subscripted, nothing is checked."""

TYPE_CHECKING = False

_ORIGINS = {"List": list, "Dict": dict, "Set": set, "FrozenSet": frozenset, "Tuple": tuple,
            "Type": type, "DefaultDict": dict, "OrderedDict": dict, "Text": str}


class _Alias:
    """A subscripted form such as List[int]."""

    def __init__(self, form, args):
        self._form = form
        self.__args__ = args

    @property
    def __origin__(self):
        return getattr(self._form, "_origin", self._form)

    @property
    def __metadata__(self):
        return self.__args__[1:]

    @property
    def __parameters__(self):
        return tuple([a for a in self.__args__ if isinstance(a, TypeVar)])

    def __getitem__(self, item):
        return _Alias(self._form, item if isinstance(item, tuple) else (item,))

    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)

    def __mro_entries__(self, bases):
        origin = self.__origin__
        if hasattr(origin, "__mro_entries__"):
            return origin.__mro_entries__(bases)
        return (origin,) if isinstance(origin, type) else ()

    def __instancecheck__(self, value):
        if self._form is Union:
            return isinstance(value, tuple([type(None) if a is None else a
                                            for a in self.__args__]))
        return isinstance(value, self.__origin__)

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __eq__(self, other):
        return (isinstance(other, _Alias) and self._form is other._form
                and self.__args__ == other.__args__)

    def __hash__(self):
        return hash(str(self))

    def __repr__(self):
        args = self.__args__
        if self._form is Union and type(None) in args:
            rest = [_text(a) for a in args if a is not type(None)]
            inside = ", ".join(rest)
            return f"typing.Optional[{inside if len(rest) == 1 else f'typing.Union[{inside}]'}]"
        inside = ", ".join([_text(a) for a in args])
        return f"{_text(self._form)}[{inside}]"


def _text(form):
    if form is type(None):
        return "None"
    if form is ...:
        return "..."
    if isinstance(form, type):
        return form.__name__ if form.__module__ == "builtins" else form.__qualname__
    return repr(form)


class _Form:
    """A name of this module that takes a subscript."""

    def __init__(self, name):
        self._name = self.__name__ = name

    @property
    def _origin(self):
        name = self._name
        if name in _ORIGINS:
            return _ORIGINS[name]
        import collections.abc as interfaces
        name = {"AbstractSet": "Set"}.get(name, name)
        return getattr(interfaces, name, self)

    def __getitem__(self, item):
        if self is Optional:
            return Union[item, type(None)]
        if not isinstance(item, tuple):
            item = (item,)
        if self is Union:
            return _union(item)
        if self is Annotated or self is Literal:
            return _Alias(self, item)
        return _Alias(self, tuple([type(None) if a is None else a for a in item]))

    def __call__(self, *args, **kwargs):
        return self._origin(*args, **kwargs)

    def __mro_entries__(self, bases):
        origin = self._origin
        if hasattr(origin, "__mro_entries__"):
            return origin.__mro_entries__(bases)
        return (origin,) if isinstance(origin, type) else ()

    def __instancecheck__(self, value):
        if self is Callable:
            return callable(value)
        return True if self is Any else isinstance(value, self._origin)

    def __subclasscheck__(self, cls):
        return True if self is Any else issubclass(cls, self._origin)

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __repr__(self):
        return "typing." + self._name


def _union(items):
    flat = []
    for item in items:
        if item is None:
            item = type(None)
        parts = item.__args__ if getattr(item, "_form", None) is Union else (item,)
        for part in parts:
            if part not in flat:
                flat.append(part)
    return flat[0] if len(flat) == 1 else _Alias(Union, tuple(flat))


Any = _Form("Any")
Union = _Form("Union")
Optional = _Form("Optional")
Literal = _Form("Literal")
Annotated = _Form("Annotated")
ClassVar = _Form("ClassVar")
Final = _Form("Final")
List = _Form("List")
Dict = _Form("Dict")
Set = _Form("Set")
Tuple = _Form("Tuple")
Type = _Form("Type")
Callable = _Form("Callable")
Iterable = _Form("Iterable")
Iterator = _Form("Iterator")
Sequence = _Form("Sequence")
Mapping = _Form("Mapping")
Self = _Form("Self")

_FORMS = ("FrozenSet", "DefaultDict", "OrderedDict", "Generator", "MutableMapping", "Hashable",
          "MutableSequence", "Collection", "Container", "Sized", "AbstractSet", "MutableSet",
          "NoReturn", "Never", "LiteralString", "Required", "NotRequired", "ReadOnly", "Unpack",
          "Concatenate", "TypeAlias", "TypeGuard", "TypeIs", "KeysView", "ValuesView",
          "ItemsView", "Reversible", "Awaitable", "Coroutine", "AsyncIterator",
          "AsyncIterable", "AsyncGenerator", "ByteString", "Deque", "Counter", "ChainMap",
          "ContextManager", "AsyncContextManager", "Pattern", "Match", "SupportsInt",
          "SupportsFloat", "SupportsIndex", "SupportsAbs", "SupportsRound", "Buffer")

Text = str
AnyStr = str
BinaryIO = TextIO = IO = _Form("IO")


def __getattr__(name):
    if name in _FORMS:
        made = globals()[name] = _Form(name)
        return made
    raise AttributeError(f"module 'typing' has no attribute {name!r}")


class TypeVar:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False,
                 default=None, infer_variance=False):
        self.__name__ = name
        self.__bound__ = bound
        self.__constraints__ = constraints
        self.args = self.kwargs = self

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __getitem__(self, item):
        return self

    def __repr__(self):
        return "~" + self.__name__


ParamSpec = TypeVarTuple = TypeVar


class Generic:
    def __class_getitem__(cls, item):
        return cls


class Protocol:
    def __class_getitem__(cls, item):
        return cls

    def __init_subclass__(cls, **kwargs):
        pass


def _make_named(typename, fields):
    from collections import namedtuple
    fields = list(fields)
    cls = namedtuple(typename, [name for name, _ in fields])
    cls.__annotations__ = dict(fields)
    return cls


class _NamedTupleForm:
    """What `class Name(NamedTuple)` and `NamedTuple("Name", fields)` refer to."""

    def __mro_entries__(self, bases):
        from collections import _NamedTuple, _install_fields

        class NamedTupleBase(_NamedTuple):
            def __init_subclass__(cls, **kwargs):
                names = cls.__dict__.get("__annotations__")
                if names and not cls._fields:
                    body = cls.__dict__
                    table = {n: body[n] for n in names if n in body}
                    _install_fields(cls, list(names), table)

        return (NamedTupleBase,)

    def __call__(self, typename, fields=(), **kwargs):
        return _make_named(typename, fields or kwargs.items())


NamedTuple = _NamedTupleForm()


class _TypedDictBase(dict):
    def __init_subclass__(cls, total=True, **kwargs):
        cls.__total__ = total


class _TypedDictForm:
    def __mro_entries__(self, bases):
        return (_TypedDictBase,)

    def __call__(self, typename, fields=(), *, total=True, **kwargs):
        return type(typename, (_TypedDictBase,), {"__annotations__": dict(fields or kwargs)})


TypedDict = _TypedDictForm()


def NewType(name, kind):
    return lambda value: value


class ForwardRef:
    def __init__(self, arg, **kwargs):
        self.__forward_arg__ = arg


def cast(kind, value):
    return value


def overload(function):
    return function


def final(thing):
    return thing


def override(function):
    return function


def no_type_check(thing):
    return thing


def runtime_checkable(cls):
    return cls


runtime = runtime_checkable


def deprecated(message, **kwargs):
    return lambda thing: thing


def dataclass_transform(**kwargs):
    return lambda thing: thing


def assert_never(value):
    raise AssertionError(f"unexpected value {value!r}")


def assert_type(value, kind):
    return value


def reveal_type(value):
    return value


_SIMPLE = {"int": int, "float": float, "str": str, "bool": bool, "list": list, "dict": dict,
           "tuple": tuple, "None": type(None)}


def get_type_hints(thing, globalns=None, localns=None, include_extras=False):
    hints = {}
    for cls in reversed(getattr(thing, "__mro__", (thing,))):
        hints.update(getattr(cls, "__dict__", {}).get("__annotations__", None) or {})
    if not hints:
        hints.update(getattr(thing, "__annotations__", None) or {})
    for name, kind in hints.items():
        if isinstance(kind, str):
            hints[name] = _SIMPLE.get(kind, kind)
        elif kind is None:
            hints[name] = type(None)
    return hints


def get_origin(kind):
    if isinstance(kind, _Alias):
        return kind.__origin__
    return getattr(kind, "__origin__", None)


def get_args(kind):
    return getattr(kind, "__args__", ())


def is_typeddict(kind):
    return isinstance(kind, type) and issubclass(kind, _TypedDictBase)
