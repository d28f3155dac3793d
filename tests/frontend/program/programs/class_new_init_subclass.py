class Registry:
    known = {}

    def __init_subclass__(cls, tag=None, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.tag = tag or cls.__name__.lower()
        Registry.known[cls.tag] = cls


class Small(Registry):
    pass


class Big(Registry, tag="huge"):
    size = 9


class Bigger(Big):
    pass


print(sorted(Registry.known), Big.tag, Bigger.tag, Registry.known["huge"].size)


class Single:
    _made = None

    def __new__(cls, *args):
        if cls._made is None:
            cls._made = super().__new__(cls)
            cls._made.args = args
        return cls._made

    def __init__(self, *args):
        self.last = args


a, b = Single(1), Single(2)
print(a is b, a.args, a.last)


class Pair(tuple):
    def __new__(cls, x, y):
        return super().__new__(cls, (x, y))

    @property
    def x(self):
        return self[0]


p = Pair(3, 4)
print(p, p.x, len(p), p == (3, 4), isinstance(p, tuple), p + (5,), type(p).__name__)


class Meters(float):
    def __repr__(self):
        return f"{float(self)}m"


class Size(int):
    unit = "px"

    def half(self):
        return Size(self // 2)


print(Meters(2.5), [Meters(1)], Meters(2) + 1, Size(9).half(), Size(9).unit, Size(3) == 3, {Size(3): 1}[3])


class Box(Registry, tag="box"):
    def __class_getitem__(cls, item):
        return (cls.__name__, item)


print(Box[int] == ("Box", int), Box["x"])
Dynamic = type("Dynamic", (Small,), {"value": 5, "get": lambda self: self.value})
print(Dynamic().get(), Dynamic.__name__, Dynamic.tag, Registry.known["dynamic"] is Dynamic)
