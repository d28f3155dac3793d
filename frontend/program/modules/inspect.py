"""Looking into functions and classes."""

import _python


class _Empty:
    pass


class _Kind(int):
    _texts = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY",
              "VAR_KEYWORD")

    @property
    def name(self):
        return self._texts[self]

    def __str__(self):
        return self._texts[self]


_KINDS = [_Kind(i) for i in range(5)]


class Parameter:
    empty = _empty = _Empty
    (POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY,
     VAR_KEYWORD) = _KINDS

    def __init__(self, name, kind, *, default=_Empty, annotation=_Empty):
        self.name = name
        self.kind = kind
        self.default = default
        self.annotation = annotation

    def replace(self, **changes):
        values = {"name": self.name, "kind": self.kind, "default": self.default,
                  "annotation": self.annotation, **changes}
        return Parameter(values["name"], values["kind"], default=values["default"],
                         annotation=values["annotation"])

    def __str__(self):
        star = {2: "*", 4: "**"}.get(self.kind, "")
        text = star + self.name
        return text if self.default is _Empty else f"{text}={self.default!r}"

    def __repr__(self):
        return f"<Parameter \"{self}\">"


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature = signature
        self.arguments = arguments

    def apply_defaults(self):
        filled = {}
        for name, p in self.signature.parameters.items():
            if name in self.arguments:
                filled[name] = self.arguments[name]
            elif p.default is not _Empty:
                filled[name] = p.default
            elif p.kind == 2:
                filled[name] = ()
            elif p.kind == 4:
                filled[name] = {}
        self.arguments = filled

    @property
    def args(self):
        out = []
        for name, p in self.signature.parameters.items():
            if name in self.arguments and p.kind < 2:
                out.append(self.arguments[name])
            elif name in self.arguments and p.kind == 2:
                out.extend(self.arguments[name])
        return tuple(out)

    @property
    def kwargs(self):
        out = {}
        for name, p in self.signature.parameters.items():
            if name in self.arguments and p.kind == 3:
                out[name] = self.arguments[name]
            elif name in self.arguments and p.kind == 4:
                out.update(self.arguments[name])
        return out


class Signature:
    empty = _Empty

    def __init__(self, parameters=(), *, return_annotation=_Empty):
        self.parameters = {p.name: p for p in parameters}
        self.return_annotation = return_annotation

    def replace(self, *, parameters=None, return_annotation=None):
        return Signature(self.parameters.values() if parameters is None else parameters)

    def bind(self, *args, **kwargs):
        return self._bind(args, kwargs, False)

    def bind_partial(self, *args, **kwargs):
        return self._bind(args, kwargs, True)

    def _bind(self, args, kwargs, partial):
        values, args, kwargs = {}, list(args), dict(kwargs)
        for name, p in self.parameters.items():
            if p.kind == 2:
                if args:
                    values[name], args = tuple(args), []
            elif p.kind == 4:
                if kwargs:
                    values[name], kwargs = kwargs, {}
            elif p.kind < 2 and args:
                values[name] = args.pop(0)
                if name in kwargs:
                    raise TypeError(f"multiple values for argument {name!r}")
            elif p.kind != 0 and name in kwargs:
                values[name] = kwargs.pop(name)
            elif p.default is _Empty and not partial:
                raise TypeError(f"missing a required argument: {name!r}")
        if args:
            raise TypeError("too many positional arguments")
        if kwargs:
            raise TypeError(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
        return BoundArguments(self, values)

    def __str__(self):
        parts, slash, star = [], False, False
        for p in self.parameters.values():
            if p.kind != 0 and slash:
                parts.append("/")
                slash = False
            if p.kind == 0:
                slash = True
            if p.kind == 3 and not star:
                parts.append("*")
                star = True
            if p.kind == 2:
                star = True
            parts.append(str(p))
        if slash:
            parts.append("/")
        return "(" + ", ".join(parts) + ")"

    def __repr__(self):
        return f"<Signature {self}>"


_BY_NAME = {"positional_only": 0, "positional_or_keyword": 1, "var_positional": 2,
            "keyword_only": 3, "var_keyword": 4}


def _kind(kind):
    return _KINDS[kind] if isinstance(kind, int) else _KINDS[_BY_NAME[str(kind).lower()]]


def signature(thing, *, follow_wrapped=True, **kwargs):
    bound = False
    while follow_wrapped and hasattr(thing, "__wrapped__"):
        thing = thing.__wrapped__
    if hasattr(thing, "__signature__"):
        return thing.__signature__
    if isinstance(thing, type):
        made = thing.__dict__.get("__init__")
        chosen = getattr(thing.__init__, "_dataclass_fields", None)
        if chosen is not None:
            return Signature(_of_fields(chosen))
        if thing.__init__ is object.__init__ and made is None:
            return Signature()
        thing = thing.__init__
        bound = True
    elif hasattr(thing, "func") and hasattr(thing, "keywords"):
        return _partial(thing)
    elif not isfunction(thing) and not ismethod(thing) and not isbuiltin(thing):
        if hasattr(type(thing), "__call__"):
            thing = type(thing).__call__
            bound = True
    if hasattr(thing, "__func__") and hasattr(thing, "__self__"):
        thing = thing.__func__
        bound = True
    while hasattr(thing, "__wrapped__"):
        thing = thing.__wrapped__
    chosen = getattr(thing, "_dataclass_fields", None)
    if chosen is not None:
        return Signature([Parameter("self", _KINDS[1])] * (not bound) + _of_fields(chosen))
    hints = getattr(thing, "__annotations__", None) or {}
    found = []
    for name, kind, has_default, default in _python.signature(thing):
        found.append(Parameter(name, _kind(kind), default=default if has_default else _Empty,
                               annotation=hints.get(name, _Empty)))
    if bound and found and found[0].kind < 2:
        found = found[1:]
    return Signature(found, return_annotation=hints.get("return", _Empty))


def _of_fields(chosen):
    return [_from_field(f) for f in (chosen() if callable(chosen) else chosen) if f.init]


def _from_field(f):
    default = f.default
    if type(default).__name__ == "_Missing":
        default = _Empty if type(f.default_factory).__name__ == "_Missing" else f.default_factory
    return Parameter(f.name, _KINDS[3 if f.kw_only else 1], default=default, annotation=f.type)


def _partial(thing):
    inner = list(signature(thing.func).parameters.values())
    skip = len(thing.args)
    found = []
    for p in inner:
        if skip and p.kind < 2:
            skip -= 1
        elif p.name in thing.keywords:
            found.append(p.replace(default=thing.keywords[p.name], kind=_KINDS[3]))
        else:
            found.append(p)
    return Signature(found)


def getfullargspec(thing):
    from collections import namedtuple
    names = "args varargs varkw defaults kwonlyargs kwonlydefaults annotations"
    rows = _python.signature(getattr(thing.__init__ if isinstance(thing, type) else thing,
                                     "__func__", thing.__init__ if isinstance(thing, type)
                                     else thing))
    args, defaults, only, only_defaults, star, stars = [], [], [], {}, None, None
    for name, kind, has_default, default in rows:
        kind = _kind(kind)
        if kind < 2:
            args.append(name)
            if has_default:
                defaults.append(default)
        elif kind == 2:
            star = name
        elif kind == 3:
            only.append(name)
            if has_default:
                only_defaults[name] = default
        else:
            stars = name
    return namedtuple("FullArgSpec", names)(
        args, star, stars, tuple(defaults) or None, only, only_defaults or None,
        getattr(thing, "__annotations__", {}))


getargspec = getfullargspec


def isclass(thing):
    return isinstance(thing, type)


def isfunction(thing):
    return isinstance(thing, type(isclass))


def ismethod(thing):
    return hasattr(thing, "__func__") and hasattr(thing, "__self__")


def isbuiltin(thing):
    return isinstance(thing, type(len))


def isroutine(thing):
    return isfunction(thing) or ismethod(thing) or isbuiltin(thing)


def ismodule(thing):
    import sys
    return isinstance(thing, type(sys))


def isgenerator(thing):
    return isinstance(thing, type((_ for _ in ())))


def isgeneratorfunction(thing):
    check = getattr(_python, "is_generator_function", None)
    return bool(check and check(thing))


def iscoroutinefunction(thing):
    return False


isawaitable = isasyncgenfunction = iscoroutine = iscoroutinefunction


def isabstract(thing):
    return False


def isdatadescriptor(thing):
    return hasattr(type(thing), "__set__")


def getmembers(thing, predicate=None):
    found = []
    for name in sorted(dir(thing)):
        value = getattr(thing, name, None)
        if predicate is None or predicate(value):
            found.append((name, value))
    return found


def getmro(cls):
    return cls.__mro__


def getdoc(thing):
    return getattr(thing, "__doc__", None)


def getmodule(thing, *args):
    import sys
    return sys.modules.get(getattr(thing, "__module__", None))


def unwrap(function, *, stop=None):
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def cleandoc(text):
    import textwrap
    first, _, rest = text.partition("\n")
    return (first.strip() + "\n" + textwrap.dedent(rest)).strip() if rest else first.strip()


def _unknown(*args, **kwargs):
    import _tilewise
    return _tilewise.unknown("a question about the interpreter's own state")


def getattr_static(thing, name, *default):
    for cls in getattr(thing, "__mro__", None) or type(thing).__mro__:
        if name in cls.__dict__:
            return cls.__dict__[name]
    return getattr(thing, name, *default)


getsource = getsourcelines = getfile = getsourcefile = currentframe = stack = trace = _unknown
getouterframes = getframeinfo = getcallargs = getclosurevars = _unknown
CO_VARARGS, CO_VARKEYWORDS = 4, 8
