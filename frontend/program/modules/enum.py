"""Enumerations, over the class hooks of tilewise's interpreter."""


class auto:
    pass


class member:
    def __init__(self, value):
        self.value = value


class nonmember:
    def __init__(self, value):
        self.value = value


_Function = type(lambda: 0)


def _is_member(name, value):
    if isinstance(value, nonmember):
        return False
    if isinstance(value, member):
        return True
    if name.startswith("_"):
        return False
    if isinstance(value, (property, classmethod, staticmethod, type, _Function)):
        return False
    return not hasattr(value, "__get__")


class Enum:
    _members = {}

    @classmethod
    def __tilewise_make_class__(cls, new=None):
        if new is None:
            new = cls
        kind = None
        for base in new.__mro__:
            if base in (int, float, str, tuple, bytes):
                kind = base
                break
        if kind is not None:
            taken = new._own_names()
            for name in ("__repr__", "__str__", "__format__"):
                if name not in taken:
                    setattr(new, name, getattr(Enum, name))
        members, last = {}, []
        by_value = {}
        body = dict(new.__dict__)
        ignored = body.get("_ignore_", ())
        if isinstance(ignored, str):
            ignored = ignored.split()
        for name, value in body.items():
            if name in ignored:
                continue
            if not _is_member(name, value):
                if isinstance(value, nonmember):
                    setattr(new, name, value.value)
                continue
            if isinstance(value, member):
                value = value.value
            if isinstance(value, auto):
                value = new._generate_next_value_(name, 1, len(members), last)
            elif isinstance(value, tuple):
                value = tuple([new._generate_next_value_(name, 1, len(members), last)
                               if isinstance(v, auto) else v for v in value])
            known = None
            for other in members.values():
                if other._value_ == value and type(other._value_) is type(value):
                    known = other
            if known is not None:
                members[name] = known
                setattr(new, name, known)
                continue
            one = new._create(kind, value)
            one._name_ = name
            one._sort_order_ = len(members)
            one.__objclass__ = new
            if "__init__" in new._own_names() and value is not None:
                one.__init__(*(value if isinstance(value, tuple) else (value,)))
            members[name] = one
            last.append(one._value_)
            setattr(new, name, one)
        new._members = members
        new.__members__ = new._member_map_ = dict(members)
        new._member_names_ = [m._name_ for m in new._unique()]
        new._value2member_map_ = {m._value_: m for m in members.values()
                                  if not isinstance(m._value_, (list, dict, set))}

    @classmethod
    def _own_names(cls):
        names = set()
        for base in cls.__mro__:
            if base in (Enum, object, int, float, str, tuple, bytes):
                continue
            names.update(base.__dict__)
        return names

    @classmethod
    def _create(cls, kind, value):
        arguments = value if isinstance(value, tuple) else (value,)
        if "__new__" in cls._own_names():
            one = cls.__new__(cls, *arguments)
        elif kind is None:
            one = object.__new__(cls)
        elif kind is tuple:
            one = tuple.__new__(cls, value)
        else:
            one = kind.__new__(cls, *arguments)
        if "_value_" not in one.__dict__:
            one._value_ = value
        return one

    @classmethod
    def _unique(cls):
        return [m for name, m in cls._members.items() if m._name_ == name]

    @classmethod
    def __tilewise_class_iter__(cls):
        return iter(cls._unique())

    @classmethod
    def __tilewise_class_len__(cls):
        return len(cls._unique())

    @classmethod
    def __tilewise_class_getitem__(cls, name):
        return cls._members[name]

    @classmethod
    def __tilewise_class_contains__(cls, value):
        if isinstance(value, cls):
            return True
        return any(m._value_ == value for m in cls._members.values())

    @classmethod
    def __tilewise_class_call__(cls, value, *names, **kwargs):
        if not cls._members and (names or "names" in kwargs):
            return cls._functional(value, *names, **kwargs)
        if isinstance(value, cls):
            return value
        for one in cls._members.values():
            if one._value_ == value:
                return one
        found = cls._missing_(value)
        if found is None:
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        return found

    @classmethod
    def _functional(cls, title, names, *, module=None, qualname=None, type=None, start=1):
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if isinstance(names, dict):
            pairs = list(names.items())
        else:
            pairs = [(n, start + i) if isinstance(n, str) else tuple(n)
                     for i, n in enumerate(names)]
        made = cls.__class__(title, (cls,), dict(pairs))
        if "_members" not in made.__dict__:
            made.__tilewise_make_class__()
        return made

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        numbers = [v for v in last_values if isinstance(v, int)]
        return max(numbers) + 1 if numbers else start

    @classmethod
    def _missing_(cls, value):
        return None

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __format__(self, spec):
        return format(str(self), spec)

    def __hash__(self):
        for kind in (int, str, float):
            if isinstance(self, kind):
                return kind.__hash__(self)
        return hash(self._name_)

    def __eq__(self, other):
        for kind in (int, str, float):
            if isinstance(self, kind):
                return kind.__eq__(self, other)
        return self is other

    def __ne__(self, other):
        return not self == other

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ReprEnum(Enum):
    def __str__(self):
        return str(self._value_)

    def __format__(self, spec):
        return format(self._value_, spec)


class IntEnum(int, ReprEnum):
    __eq__ = int.__eq__
    __ne__ = int.__ne__
    __hash__ = int.__hash__
    __repr__ = Enum.__repr__
    __str__ = ReprEnum.__str__
    __format__ = ReprEnum.__format__


class StrEnum(str, ReprEnum):
    __eq__ = str.__eq__
    __ne__ = str.__ne__
    __hash__ = str.__hash__
    __repr__ = Enum.__repr__
    __str__ = ReprEnum.__str__
    __format__ = ReprEnum.__format__

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()


class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        top = 0
        for value in last_values:
            top = max(top, value)
        return start if top == 0 else 1 << top.bit_length()

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            return None
        one = cls._create(int if issubclass(cls, int) else None, value)
        names = [m._name_ for m in cls._unique() if m._value_ and m._value_ & value == m._value_]
        one._name_ = "|".join(names) or None
        return one

    @classmethod
    def _unique(cls):
        found = Enum._unique.__func__(cls)
        return [m for m in found if m._value_ and m._value_ & (m._value_ - 1) == 0]

    def _number(self, other):
        return other._value_ if isinstance(other, Flag) else other

    def __or__(self, other):
        return type(self).__tilewise_class_call__(self._value_ | self._number(other))

    def __and__(self, other):
        return type(self).__tilewise_class_call__(self._value_ & self._number(other))

    def __xor__(self, other):
        return type(self).__tilewise_class_call__(self._value_ ^ self._number(other))

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __invert__(self):
        every = 0
        for one in type(self)._unique():
            every |= one._value_
        return type(self).__tilewise_class_call__(every & ~self._value_)

    def __contains__(self, other):
        return other._value_ & self._value_ == other._value_

    def __bool__(self):
        return bool(self._value_)

    def __iter__(self):
        return iter([m for m in type(self)._unique() if m._value_ & self._value_])

    def __eq__(self, other):
        if isinstance(other, type(self)):
            return self._value_ == other._value_
        return self._value_ == other if isinstance(self, int) else False

    def __hash__(self):
        return hash(self._value_)

    def __repr__(self):
        if self._name_ is None:
            return f"<{type(self).__name__}: {self._value_!r}>"
        return Enum.__repr__(self)

    def __str__(self):
        if self._name_ is None:
            return f"{type(self).__name__}({self._value_!r})"
        return Enum.__str__(self)


class IntFlag(int, Flag):
    __repr__ = Flag.__repr__
    __eq__ = Flag.__eq__
    __hash__ = Flag.__hash__
    __or__ = __ror__ = Flag.__or__
    __and__ = __rand__ = Flag.__and__
    __xor__ = __rxor__ = Flag.__xor__
    __invert__ = Flag.__invert__

    def __str__(self):
        return str(self._value_)

    def __format__(self, spec):
        return format(self._value_, spec)


EnumMeta = EnumType = type
STRICT = CONFORM = EJECT = KEEP = CONTINUOUS = NAMED_FLAGS = UNIQUE = None


def unique(cls):
    doubled = [n for n, m in cls._members.items() if m._name_ != n]
    if doubled:
        raise ValueError(f"duplicate values found in {cls.__name__}: {', '.join(doubled)}")
    return cls


def verify(*checks):
    return lambda cls: cls


def global_enum(cls, update_str=False):
    return cls

