"""Containers beyond list, dict and tuple."""

__containers__ = True  # what is put into them is put there by the program


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        value = self.pop(key)
        if last:
            self[key] = value
        else:
            rest = list(self.items())
            self.clear()
            self[key] = value
            self.update(rest)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        key = next(reversed(self)) if last else next(iter(self))
        return key, self.pop(key)

    def copy(self):
        return type(self)(self)

    @classmethod
    def fromkeys(cls, keys, value=None):
        made = cls()
        for key in keys:
            made[key] = value
        return made

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        return f"{type(self).__name__}({list(self.items())!r})"

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return list(self.items()) == list(other.items())
        return dict.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    def __or__(self, other):
        made = type(self)(self)
        made.update(other)
        return made


class defaultdict(dict):
    def __init__(self, default_factory=None, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self[key] = self.default_factory()
        return value

    def copy(self):
        return type(self)(self.default_factory, self)

    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {dict(self)!r})"


class _NamedTuple(tuple):
    _fields = ()
    _field_defaults = {}

    def __new__(cls, *args, **kwargs):
        fields = cls._fields
        if kwargs or len(args) != len(fields):
            args = cls._fill(args, kwargs)
        return tuple.__new__(cls, args)

    @classmethod
    def _fill(cls, args, kwargs):
        if len(args) > len(cls._fields):
            raise TypeError(f"{cls.__name__}() takes {len(cls._fields)} values, not {len(args)}")
        values = list(args)
        late = getattr(cls.__new__, "__defaults__", None)  # T.__new__.__defaults__ = ...
        if late:
            cls._field_defaults = dict(zip(cls._fields[len(cls._fields) - len(late):], late))
        for name in cls._fields[len(args):]:
            if name in kwargs:
                values.append(kwargs.pop(name))
            elif name in cls._field_defaults:
                values.append(cls._field_defaults[name])
            else:
                raise TypeError(f"{cls.__name__}() misses the value of {name!r}")
        if kwargs:
            raise TypeError(f"{cls.__name__}() has no field {next(iter(kwargs))!r}")
        return values

    @classmethod
    def _make(cls, values):
        return cls(*values)

    def _asdict(self):
        return dict(zip(self._fields, self))

    def _replace(self, **changes):
        made = [changes.pop(name, value) for name, value in zip(self._fields, self)]
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return type(self)(*made)

    def __getnewargs__(self):
        return tuple(self)

    def __repr__(self):
        inside = ", ".join([f"{n}={v!r}" for n, v in zip(self._fields, self)])
        return f"{type(self).__name__}({inside})"


def _field_property(index):
    return property(lambda self: self[index])


def _install_fields(cls, names, defaults):
    cls._fields = tuple(names)
    cls._field_defaults = defaults
    cls.__match_args__ = cls._fields
    for index, name in enumerate(names):
        setattr(cls, name, _field_property(index))


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = [str(name) for name in field_names]
    if rename:
        seen = set()
        for i, name in enumerate(names):
            if not name.isidentifier() or name.startswith("_") or name in seen:
                names[i] = f"_{i}"
            seen.add(name)
    given = list(defaults or ())
    table = dict(zip(names[len(names) - len(given):], given))
    def make(cls, *args, **kwargs):
        return _NamedTuple.__new__(cls, *args, **kwargs)
    cls = type(typename, (_NamedTuple,), {"__doc__": f"{typename}({', '.join(names)})",
                                          "__new__": make})
    _install_fields(cls, names, table)
    return cls


class Counter(dict):
    def __init__(self, iterable=None, **kwargs):
        super().__init__()
        self.update(iterable, **kwargs)

    def __missing__(self, key):
        return 0

    def update(self, iterable=None, **kwargs):
        if iterable is not None:
            if isinstance(iterable, dict):
                for key, n in iterable.items():
                    self[key] = self.get(key, 0) + n
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) + 1
        for key, n in kwargs.items():
            self[key] = self.get(key, 0) + n

    def subtract(self, iterable=None, **kwargs):
        for key, n in Counter(iterable, **kwargs).items():
            self[key] = self.get(key, 0) - n

    def most_common(self, n=None):
        ordered = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return ordered if n is None else ordered[:n]

    def elements(self):
        for key, n in self.items():
            for _ in range(n):
                yield key

    def total(self):
        return sum(self.values())

    def copy(self):
        return type(self)(self)

    def _merge(self, other, choose):
        made = Counter()
        for key in list(self) + [key for key in other if key not in self]:
            n = choose(self[key], other[key])
            if n > 0:
                made[key] = n
        return made

    def __add__(self, other):
        return self._merge(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._merge(other, lambda a, b: a - b)

    def __and__(self, other):
        return self._merge(other, min)

    def __or__(self, other):
        return self._merge(other, max)

    def __delitem__(self, key):
        if key in self:
            super().__delitem__(key)

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        return f"{type(self).__name__}({dict(self.most_common())!r})"


class deque:
    def __init__(self, iterable=(), maxlen=None):
        self.maxlen = maxlen
        self._items = []
        self.extend(iterable)

    def _trim(self):
        if self.maxlen is not None and len(self._items) > self.maxlen:
            del self._items[:len(self._items) - self.maxlen]

    def append(self, value):
        self._items.append(value)
        self._trim()

    def appendleft(self, value):
        self._items.insert(0, value)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop()

    def extend(self, values):
        self._items.extend(values)
        self._trim()

    def extendleft(self, values):
        for value in values:
            self.appendleft(value)

    def _check(self):
        if not self._items:
            raise IndexError("pop from an empty deque")

    def pop(self):
        self._check()
        return self._items.pop()

    def popleft(self):
        self._check()
        return self._items.pop(0)

    def clear(self):
        self._items.clear()

    def copy(self):
        return type(self)(self._items, self.maxlen)

    __copy__ = copy

    def count(self, value):
        return self._items.count(value)

    def index(self, value, *bounds):
        return self._items.index(value, *bounds)

    def insert(self, index, value):
        self._items.insert(index, value)

    def remove(self, value):
        self._items.remove(value)

    def reverse(self):
        self._items.reverse()

    def rotate(self, n=1):
        if self._items:
            n %= len(self._items)
            self._items = self._items[len(self._items) - n:] + self._items[:len(self._items) - n]

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __reversed__(self):
        return reversed(self._items)

    def __contains__(self, value):
        return value in self._items

    def __getitem__(self, index):
        return self._items[index]

    def __setitem__(self, index, value):
        self._items[index] = value

    def __delitem__(self, index):
        del self._items[index]

    def __eq__(self, other):
        return isinstance(other, deque) and self._items == other._items

    def __add__(self, other):
        return type(self)(self._items + list(other), self.maxlen)

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __class_getitem__(cls, item):
        return cls

    def __repr__(self):
        limit = "" if self.maxlen is None else f", maxlen={self.maxlen}"
        return f"deque({self._items!r}{limit})"


class _Mapping:
    """What a mapping gets from its five basic methods."""

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return {key: None for key in self}.keys()

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def __eq__(self, other):
        return dict(self.items()) == dict(other.items())

    def pop(self, key, *default):
        try:
            value = self[key]
        except KeyError:
            if default:
                return default[0]
            raise
        del self[key]
        return value

    def popitem(self):
        for key in self:
            return key, self.pop(key)
        raise KeyError("mapping is empty")

    def clear(self):
        for key in list(self):
            del self[key]

    def update(self, other=(), **kwargs):
        if hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwargs.items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key in self:
            return self[key]
        self[key] = default
        return default


class UserDict(_Mapping):
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(type(self), "__missing__"):
            return type(self).__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.data[key] = value

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def copy(self):
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.data = self.data.copy()
        return made

    def __repr__(self):
        return repr(self.data)


class ChainMap(_Mapping):
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for part in self.maps:
            if key in part:
                return part[key]
        raise KeyError(key)

    def __contains__(self, key):
        return any(key in part for part in self.maps)

    def __iter__(self):
        seen = {}
        for part in reversed(self.maps):
            seen.update(dict.fromkeys(part))
        return iter(seen)

    def __len__(self):
        return len(list(iter(self)))

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        del self.maps[0][key]

    def new_child(self, m=None, **kwargs):
        return ChainMap(dict(kwargs) if m is None else m, *self.maps)

    @property
    def parents(self):
        return ChainMap(*self.maps[1:])

    def __repr__(self):
        return f"ChainMap({', '.join(map(repr, self.maps))})"


class UserList(list):
    @property
    def data(self):
        return self


class UserString(str):
    @property
    def data(self):
        return str(self)


_OLD_NAMES = ("Mapping", "MutableMapping", "Sequence", "Iterable", "Callable", "Iterator", "Sized",
              "Set", "Hashable", "Generator", "Container")


def __getattr__(name):
    if name == "abc" or name in _OLD_NAMES:
        import collections.abc as interfaces
        return interfaces if name == "abc" else getattr(interfaces, name)
    raise AttributeError(f"module 'collections' has no attribute {name!r}")
