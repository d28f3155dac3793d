"""Functions about functions."""

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for name in assigned:
        try:
            setattr(wrapper, name, getattr(wrapped, name))
        except AttributeError:
            pass
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, None) or {})
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    return lambda wrapper: update_wrapper(wrapper, wrapped, assigned, updated)


class partial:
    def __init__(self, func, /, *args, **keywords):
        if isinstance(func, partial):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})

    def __repr__(self):
        parts = [repr(self.func)] + [repr(a) for a in self.args]
        parts += [f"{k}={v!r}" for k, v in self.keywords.items()]
        return f"functools.partial({', '.join(parts)})"


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, instance, owner=None):
        if not isinstance(self.func, type(reduce)) and hasattr(self.func, "__get__"):
            func = self.func.__get__(instance, owner)
            return partial(func, *self.args, **self.keywords)
        return partial(self.func, instance, *self.args, **self.keywords)


_missing = object()


def reduce(function, iterable, initial=_missing):
    values = iter(iterable)
    if initial is _missing:
        initial = next(values, _missing)
        if initial is _missing:
            raise TypeError("reduce() of empty iterable with no initial value")
    for value in values:
        initial = function(initial, value)
    return initial


class _CacheInfo:
    def __init__(self, hits, misses, maxsize, currsize):
        self.hits, self.misses, self.maxsize, self.currsize = hits, misses, maxsize, currsize

    def __repr__(self):
        return (f"CacheInfo(hits={self.hits}, misses={self.misses}, "
                f"maxsize={self.maxsize}, currsize={self.currsize})")


def _memo(function, maxsize):
    seen = {}
    counts = [0, 0]

    def wrapper(*args, **kwargs):
        key = (args, tuple(kwargs.items())) if kwargs else args
        try:
            known = key in seen
        except TypeError:
            return function(*args, **kwargs)
        if known:
            counts[0] += 1
            value = seen[key]
            if maxsize is not None:
                del seen[key]
                seen[key] = value
            return value
        counts[1] += 1
        value = function(*args, **kwargs)
        if maxsize != 0:
            seen[key] = value
            if maxsize is not None and len(seen) > maxsize:
                del seen[next(iter(seen))]
        return value

    def cache_clear():
        seen.clear()
        counts[:] = [0, 0]

    update_wrapper(wrapper, function)
    wrapper.cache_clear = cache_clear
    wrapper.cache_info = lambda: _CacheInfo(counts[0], counts[1], maxsize, len(seen))
    return wrapper


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _memo(maxsize, 128)
    return lambda function: _memo(function, maxsize)


def cache(function):
    return _memo(function, None)


class cached_property:
    def __init__(self, func):
        self.func = func
        self.attrname = getattr(func, "__name__", None)
        self.__doc__ = getattr(func, "__doc__", None)

    def __set_name__(self, owner, name):
        self.attrname = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        store = instance.__dict__
        if self.attrname not in store:
            store[self.attrname] = self.func(instance)
        return store[self.attrname]


def _find(registry, cls):
    for base in getattr(cls, "__mro__", (cls, object)):
        if base in registry:
            return registry[base]
    for kind in registry:
        if hasattr(kind, "_interface_") or not isinstance(kind, type):
            if issubclass(cls, kind):
                return registry[kind]
    return registry[object]


def singledispatch(function):
    registry = {object: function}

    def register(cls, func=None):
        if func is None:
            if isinstance(cls, type) or not hasattr(cls, "__annotations__"):
                return lambda f: register(cls, f)
            func = cls
            cls = next(iter(func.__annotations__.values()))
        for kind in getattr(cls, "__args__", (cls,)):
            registry[kind] = func
        return func

    def dispatch(cls):
        return _find(registry, cls)

    def wrapper(*args, **kwargs):
        return _find(registry, type(args[0]))(*args, **kwargs)

    update_wrapper(wrapper, function)
    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper


class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher = singledispatch(func)

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, instance, owner=None):
        def method(*args, **kwargs):
            chosen = self.dispatcher.dispatch(type(args[0]))
            if not isinstance(chosen, type(reduce)):
                return chosen.__get__(instance, owner)(*args, **kwargs)
            return chosen(instance, *args, **kwargs)
        return method


def total_ordering(cls):
    def own(name):
        for base in cls.__mro__:
            if base is not object and name in base.__dict__:
                return True
        return False

    if own("__lt__"):
        table = {"__gt__": lambda a, b: not (a < b) and a != b,
                 "__le__": lambda a, b: a < b or a == b, "__ge__": lambda a, b: not a < b}
    elif own("__gt__"):
        table = {"__lt__": lambda a, b: not (a > b) and a != b,
                 "__ge__": lambda a, b: a > b or a == b, "__le__": lambda a, b: not a > b}
    elif own("__le__"):
        table = {"__ge__": lambda a, b: not (a <= b) or a == b,
                 "__lt__": lambda a, b: a <= b and a != b, "__gt__": lambda a, b: not a <= b}
    else:
        table = {"__le__": lambda a, b: not (a >= b) or a == b,
                 "__gt__": lambda a, b: a >= b and a != b, "__lt__": lambda a, b: not a >= b}
    for name, method in table.items():
        if not own(name):
            setattr(cls, name, method)
    return cls


def cmp_to_key(compare):
    class Key:
        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            return compare(self.value, other.value) < 0

        def __gt__(self, other):
            return compare(self.value, other.value) > 0

        def __eq__(self, other):
            return compare(self.value, other.value) == 0

    return Key
