def loud(f):
    def wrapped(*args, **kwargs):
        return str(f(*args, **kwargs)).upper()
    return wrapped


def repeat(n, sep=" "):
    def decorate(f):
        def wrapped(*args, **kwargs):
            return sep.join([f(*args, **kwargs) for _ in range(n)])
        wrapped.__name__ = f.__name__
        return wrapped
    return decorate


@loud
@repeat(2, sep="-")
def greet(name, *, mark="!"):
    return "hi " + name + mark


@repeat(3)
def word():
    return "w"


print(greet("bob"), greet("al", mark="?"), word(), word.__name__, greet.__name__)
registry = {}


def register(name=None):
    def decorate(cls):
        registry[name or cls.__name__] = cls
        cls.registered = True
        return cls
    return decorate


@register()
class A:
    pass


@register("bee")
class B:
    @staticmethod
    @loud
    def hello():
        return "b"

    @classmethod
    @repeat(2)
    def two(cls):
        return cls.__name__

    @property
    @loud
    def prop(self):
        return "prop"


print(sorted(registry), A.registered, B.hello(), B().two(), B().prop)


class Memo:
    def __init__(self, f):
        self.f, self.seen = f, {}

    def __call__(self, n):
        if n not in self.seen:
            self.seen[n] = self.f(n)
        return self.seen[n]


@Memo
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(60), len(fib.seen))
options = {"d": [loud]}


@options["d"][0]
def via_subscript():
    return "sub"


@(lambda f: lambda: f() + 1)
def plus():
    return 1


print(via_subscript(), plus())


def with_or_without(f=None, *, k=1):
    if f is None:
        return lambda g: with_or_without(g, k=k)
    return lambda: f() * k


@with_or_without
def p():
    return 2


@with_or_without(k=5)
def q():
    return 2


print(p(), q())
