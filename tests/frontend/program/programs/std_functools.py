import functools
from functools import cached_property, cmp_to_key, lru_cache, partial, partialmethod, reduce, singledispatch, total_ordering, wraps


def conv(i, o, k=3, *, stride=1):
    "A conv."
    return i, o, k, stride


c1 = partial(conv, k=1)
print(c1(3, 8), c1(3, 8, stride=2), c1(1, 2, k=5), partial(c1, 9)(4), c1.func is conv, c1.args, c1.keywords, partial(c1, 2, stride=4).keywords)
print(reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(lambda a, b: a + [b], "ab", []), functools.reduce(max, [3, 9, 2]))


def trace(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return f(*args, **kwargs)
    wrapper.calls = 0
    return wrapper


@trace
def area(w, h=2):
    """Area of it."""
    return w * h


print(area(3), area(3, h=5), area.calls, area.__name__, area.__doc__, area.__wrapped__(4))


@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


calls = []


@functools.cache
def slow(x, y=0):
    calls.append(x)
    return x + y


print(fib(80), slow(1), slow(1), slow(1, y=2), calls, fib.cache_info().misses)


class Data:
    made = 0

    @cached_property
    def table(self):
        Data.made += 1
        return [1, 2]

    def power(self, base, exp):
        return base ** exp

    square = partialmethod(power, exp=2)


d = Data()
print(d.table is d.table, Data.made, d.square(5), "table" in d.__dict__)


@singledispatch
def show(x):
    return "other"


@show.register(int)
def _(x):
    return "int"


@show.register
def _(x: list):
    return "list"


@show.register(tuple)
@show.register(set)
def _(x):
    return "many"


print(show(1), show([1]), show((1,)), show({1}), show("s"), show(True), show(2.0))


@total_ordering
class V:
    def __init__(self, n):
        self.n = n

    def __eq__(self, o):
        return self.n == o.n

    def __lt__(self, o):
        return self.n < o.n


print(V(1) <= V(1), V(2) > V(1), V(1) >= V(2), max([V(3), V(5)]).n)
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
layers = {n: partial(conv, stride=s) for n, s in [("a", 1), ("b", 2)]}
print({k: f(1, 1) for k, f in layers.items()}, partial(print, "x", sep="|")("y"), [partial(pow, 2)(n) for n in range(4)])


class UsesPartial:
    def __init__(self, norm=partial(dict, eps=1e-6)):
        self.norm = norm()


print(UsesPartial().norm, isinstance(c1, partial), callable(c1))
