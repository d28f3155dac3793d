"""Abstract classes: marks only, nothing is enforced."""


class ABCMeta(type):
    def register(cls, subclass):
        return subclass


class ABC:
    __slots__ = ()

    @classmethod
    def register(cls, subclass):
        return subclass


def abstractmethod(function):
    try:
        function.__isabstractmethod__ = True
    except AttributeError:
        pass
    return function


def abstractclassmethod(function):
    return classmethod(function)


def abstractstaticmethod(function):
    return staticmethod(function)


def abstractproperty(function):
    return property(function)


def get_cache_token():
    return 0
