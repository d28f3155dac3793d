"""Interfaces of containers. Each is an object that isinstance() and class statements ask."""

from collections import _Mapping


class _Interface:
    def __init__(self, name, methods, kinds=(), base=None):
        self.__name__ = self.__qualname__ = name
        self._methods = methods
        self._kinds = kinds
        self._base = base or type(name, (), {})
        self._base._interface_ = True

    def __instancecheck__(self, value):
        return isinstance(value, self._kinds) or self.__subclasscheck__(type(value))

    def __subclasscheck__(self, cls):
        if cls is self:
            return True
        if issubclass(cls, self._kinds) or issubclass(cls, self._base):
            return True
        return self._methods is not None and all(hasattr(cls, m) for m in self._methods)

    def __mro_entries__(self, bases):
        return (self._base,)

    def __getitem__(self, item):
        import typing
        return typing._Alias(self, item if isinstance(item, tuple) else (item,))

    def __or__(self, other):
        import typing
        return typing.Union[self, other]

    __ror__ = __or__

    def register(self, cls):
        self._kinds = (*self._kinds, cls)
        return cls

    def __repr__(self):
        return f"<class 'collections.abc.{self.__name__}'>"


class _SequenceBase:
    def __contains__(self, value):
        return any(value is v or value == v for v in self)

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __reversed__(self):
        for i in range(len(self) - 1, -1, -1):
            yield self[i]

    def index(self, value):
        for i, v in enumerate(self):
            if v == value:
                return i
        raise ValueError(value)

    def count(self, value):
        return sum(1 for v in self if v == value)


class _MutableSequenceBase(_SequenceBase):
    def append(self, value):
        self.insert(len(self), value)

    def extend(self, values):
        for value in values:
            self.append(value)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def clear(self):
        while len(self):
            self.pop()

    def __iadd__(self, values):
        self.extend(values)
        return self


class _IteratorBase:
    def __iter__(self):
        return self


class _MappingBase(_Mapping):
    pass


class _SetBase:
    def __and__(self, other):
        return {v for v in self if v in other}

    def __or__(self, other):
        return {*self, *other}

    def __sub__(self, other):
        return {v for v in self if v not in other}

    def isdisjoint(self, other):
        return not any(v in self for v in other)

    def discard(self, value):
        if value in self:
            self.remove(value)


_views = (type({}.keys()), type({}.values()), type({}.items()))
_plain = (list, tuple, str, bytes, range)
_generator = type((_ for _ in ()))

Iterable = _Interface("Iterable", ("__iter__",), (*_plain, dict, set, frozenset, *_views))
Iterator = _Interface("Iterator", ("__next__",), (_generator,), _IteratorBase)
Generator = _Interface("Generator", ("send", "throw", "__next__"), (_generator,), _IteratorBase)
Reversible = _Interface("Reversible", ("__reversed__", "__iter__"), (*_plain, dict))
Container = _Interface("Container", ("__contains__",), (*_plain, dict, set, frozenset))
Sized = _Interface("Sized", ("__len__",), (*_plain, dict, set, frozenset))
Collection = _Interface("Collection", ("__len__", "__iter__", "__contains__"),
                        (*_plain, dict, set, frozenset))
Callable = _Interface("Callable", ("__call__",), (type(len), type(lambda: 0)))
Hashable = _Interface("Hashable", None, (int, float, str, bytes, tuple, frozenset, type(None)))
Sequence = _Interface("Sequence", None, _plain, _SequenceBase)
MutableSequence = _Interface("MutableSequence", None, (list, bytearray), _MutableSequenceBase)
ByteString = _Interface("ByteString", None, (bytes, bytearray))
Mapping = _Interface("Mapping", None, (dict, _Mapping), _MappingBase)
MutableMapping = _Interface("MutableMapping", None, (dict, _Mapping), _MappingBase)
Set = _Interface("Set", None, (set, frozenset), _SetBase)
MutableSet = _Interface("MutableSet", None, (set,), _SetBase)
KeysView = _Interface("KeysView", None, (_views[0],))
ValuesView = _Interface("ValuesView", None, (_views[1],))
ItemsView = _Interface("ItemsView", None, (_views[2],))
MappingView = _Interface("MappingView", None, _views)
Awaitable = _Interface("Awaitable", ("__await__",))
Coroutine = _Interface("Coroutine", ("__await__", "send"))
AsyncIterable = _Interface("AsyncIterable", ("__aiter__",))
AsyncIterator = _Interface("AsyncIterator", ("__anext__",))
AsyncGenerator = _Interface("AsyncGenerator", ("__anext__", "asend"))
