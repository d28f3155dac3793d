"""Operators as functions."""


def add(a, b): return a + b
def sub(a, b): return a - b
def mul(a, b): return a * b
def truediv(a, b): return a / b
def floordiv(a, b): return a // b
def mod(a, b): return a % b
def pow(a, b): return a ** b
def matmul(a, b): return a @ b
def and_(a, b): return a & b
def or_(a, b): return a | b
def xor(a, b): return a ^ b
def lshift(a, b): return a << b
def rshift(a, b): return a >> b
def neg(a): return -a
def pos(a): return +a
def invert(a): return ~a
def not_(a): return not a
def truth(a): return bool(a)
def lt(a, b): return a < b
def le(a, b): return a <= b
def eq(a, b): return a == b
def ne(a, b): return a != b
def gt(a, b): return a > b
def ge(a, b): return a >= b
def is_(a, b): return a is b
def is_not(a, b): return a is not b
def contains(a, b): return b in a
def concat(a, b): return a + b
def getitem(a, b): return a[b]
def index(a): return a.__index__()
def abs(a): return a if a >= 0 else -a
def indexOf(a, b): return list(a).index(b)
def countOf(a, b): return list(a).count(b)
def length_hint(a, default=0): return len(a) if hasattr(a, "__len__") else default


inv = invert


def setitem(a, b, c):
    a[b] = c


def delitem(a, b):
    del a[b]


def iadd(a, b):
    a += b
    return a


def isub(a, b):
    a -= b
    return a


def imul(a, b):
    a *= b
    return a


def itruediv(a, b):
    a /= b
    return a


def ior(a, b):
    a |= b
    return a


class itemgetter:
    def __init__(self, *items):
        self._items = items

    def __call__(self, thing):
        if len(self._items) == 1:
            return thing[self._items[0]]
        return tuple([thing[i] for i in self._items])


class attrgetter:
    def __init__(self, *names):
        self._names = [name.split(".") for name in names]

    def __call__(self, thing):
        found = []
        for path in self._names:
            value = thing
            for name in path:
                value = getattr(value, name)
            found.append(value)
        return found[0] if len(found) == 1 else tuple(found)


class methodcaller:
    def __init__(self, name, /, *args, **kwargs):
        self._call = (name, args, kwargs)

    def __call__(self, thing):
        name, args, kwargs = self._call
        return getattr(thing, name)(*args, **kwargs)
