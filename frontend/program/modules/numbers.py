"""Kinds of numbers, for isinstance()."""


class _Kind:
    def __init__(self, name, *kinds):
        self.__name__ = name
        self._kinds = kinds
        self._base = type(name, (), {})

    def __instancecheck__(self, value):
        return isinstance(value, self._kinds) or isinstance(value, self._base)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self._kinds) or issubclass(cls, self._base)

    def __mro_entries__(self, bases):
        return (self._base,)

    def register(self, cls):
        self._kinds = (*self._kinds, cls)
        return cls

    def __or__(self, other):
        import typing
        return typing.Union[self, other]

    __ror__ = __or__


Number = _Kind("Number", int, float, complex)
Complex = _Kind("Complex", int, float, complex)
Real = _Kind("Real", int, float)
Rational = _Kind("Rational", int)
Integral = _Kind("Integral", int)
