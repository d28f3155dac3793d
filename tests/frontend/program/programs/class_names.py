class Outer:
    LIMIT = 3
    table = [i * 2 for i in range(4)]
    names = {k: v for k, v in zip("ab", table)}
    __hidden = "secret"
    if LIMIT > 2:
        big = True
    else:
        big = False
    for _i in range(2):
        last = _i

    class Inner:
        depth = 2

        def where(self):
            return Outer.LIMIT + self.depth

    def method(self, default=LIMIT):
        return default

    def hidden(self):
        return self.__hidden

    alias = method
    func = len


o = Outer()
print(Outer.table, Outer.names, o.big, o.last, Outer.Inner().where(), o.method(), o.alias(8))
print(o.hidden(), o._Outer__hidden, hasattr(o, "__hidden"), o.func([1, 2]))
print(Outer.Inner.__qualname__, Outer.__doc__, Outer.method.__name__)


def make(base):
    class Local(base):
        """Made inside a function."""
        origin = base.__name__

        def __str__(self):
            return "Local of " + self.origin
    return Local


L = make(Outer)
print(str(L()), f"{L()}", L.__doc__, L.__name__, issubclass(L, Outer), make(L).origin)
x = "module"


class Scope:
    x = "class"

    def get(self):
        return x

    y = x
    z = [x for _ in range(1)]


print(Scope().get(), Scope.y, Scope.z)


class Eq:
    def __init__(self, k):
        self.k = k

    def __eq__(self, other):
        return self.k == other.k

    def __hash__(self):
        return hash(self.k)


print(Eq(1) == Eq(1), Eq(1) is Eq(1), len({Eq(1), Eq(1), Eq(2)}), {Eq(1): "one"}[Eq(1)], Eq(3) in [Eq(1), Eq(3)])
print([Eq(1), Eq(2)].index(Eq(2)), [Eq(1), Eq(1)].count(Eq(1)))


class Slots:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a, self.b = 1, 2


print(Slots().a + Slots().b)
print(isinstance(Outer, type), isinstance(Outer.method, object), isinstance(3, object), type(None).__name__)
