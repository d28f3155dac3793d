class Registry(dict):
    def register(self, name):
        def inner(cls):
            self[name] = cls
            return cls
        return inner


models = Registry()


class Named:
    name = "base"

    def __str__(self):
        return f"{type(self).__name__}({self.name})"


@models.register("a")
class A(Named):
    name = "a"


@models.register("b")
class B(A):
    def __repr__(self):
        return "B!"


print(list(models), str(models["a"]()), str(B()), [B()], f"{B()}", f"{B()!r}", isinstance(models, dict), len(models))


class Stack(list):
    def push(self, x):
        self.append(x)
        return self

    def __repr__(self):
        return "Stack" + super().__repr__()

    @property
    def top(self):
        return self[-1]


s = Stack([1]).push(2).push(3)
print(s, s.top, len(s), s[0], s[1:], s == [1, 2, 3], isinstance(s, list), [x for x in s], list(s), s + [4], sorted(s, reverse=True))


class Text(str):
    def shout(self):
        return self.upper() + "!"


t = Text("hey")
print(t, t.shout(), t + "x", len(t), t == "hey", {"hey": 1}[t], isinstance(t, str), type(t).__name__, type(t + "").__name__)


class OrderedSet(dict):
    def __init__(self, items=()):
        super().__init__((i, None) for i in items)

    def __or__(self, other):
        return OrderedSet([*self, *other])

    def __repr__(self):
        return "{" + ", ".join(map(repr, self)) + "}"


print(OrderedSet("hello"), OrderedSet("ab") | OrderedSet("bc"), "h" in OrderedSet("h"))


class Mixin:
    def info(self):
        return f"{self.label}:{self.compute(2)}"


class Impl(Mixin, Named):
    label = "impl"

    def compute(self, x):
        return x * 10


print(Impl().info(), Impl.__mro__[1].__name__, str(Impl()))


class Abstract:
    def run(self):
        return self.step() + 1

    def step(self):
        raise NotImplementedError(f"{type(self).__name__}.step")


class Concrete(Abstract):
    def step(self):
        return 1


print(Concrete().run())
try:
    Abstract().run()
except NotImplementedError as e:
    print("NotImplementedError", e)


class Err(ValueError):
    pass


try:
    raise Err("custom")
except ValueError as e:
    print(type(e).__name__, e, e.args, isinstance(e, Exception))


class Weird(Exception):
    def __init__(self, a, b):
        self.a = a
        self.b = b


try:
    raise Weird(1, b=2)
except Weird as e:
    print(e.a, e.b, e.args, str(e))
base = Named if len(models) else object


class Chosen(base):
    locals().update({"dyn": 5}) if False else None
    dyn = 5


print(Chosen().dyn, Chosen.name, Named.__subclasses__()[0].__name__, Chosen.__dict__["dyn"])
A.name = "changed"
print(B.name, B().name, B.__dict__.get("name"))
