class Util:
    factor = 3

    @staticmethod
    def double(x):
        return x * 2

    @classmethod
    def scale(cls, x):
        return x * cls.factor

    def plain(self, x):
        return x + self.factor

    table = {"double": double, "n": 1}
    ops = [lambda self, v: v, len]


class More(Util):
    factor = 5


print(Util.double(2), Util().double(3), Util.scale(2), More.scale(2), More().scale(1), Util.plain(More(), 1))
print(Util.ops[1]("abc"), Util().ops[0](None, 7), isinstance(Util.table["double"], staticmethod))
u = Util()
u.plain = lambda x: "own " + str(x)
print(u.plain(1), Util().plain(1))
Util.added = lambda self, y=1: (self.factor, y)
print(More().added(), More().added(y=9))
Util.function = len
print(u.function([1, 2, 3]))
m = More().plain
print(m(10), m.__name__, m.__func__ is Util.plain, m.__self__.factor, More().plain == More().plain, u.scale == u.scale)


class Bound:
    def __init__(self):
        self.handlers = {"a": self.on_a, "b": self.on_b}
        self.act = self.choose("b")

    def on_a(self, v):
        return "a", v

    def on_b(self, v=0):
        return "b", v

    def choose(self, name):
        return getattr(self, "on_" + name)


b = Bound()
print(b.handlers["a"](1), b.handlers["b"](), b.act(5))


class Lazy:
    calls = 0

    @property
    def value(self):
        if not hasattr(self, "_value"):
            Lazy.calls += 1
            self._value = 42
        return self._value


z = Lazy()
print(z.value, z.value, Lazy.calls)


class Typed:
    def __init__(self, default):
        self.default = default

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return obj.__dict__.get(self.name, self.default)

    def __set__(self, obj, value):
        obj.__dict__[self.name] = int(value)


class Uses:
    size = Typed(7)


w = Uses()
print(w.size)
w.size = "12"
print(w.size, w.__dict__, isinstance(Uses.size, Typed))
print(callable(Util.scale), Util.__dict__["factor"], "double" in Util.__dict__, "factor" in vars(More), sorted(k for k in vars(More) if not k.startswith("__")))
