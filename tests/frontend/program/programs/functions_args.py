def f(a, b=2, *args, c, d=4, **kwargs):
    return a, b, args, c, d, kwargs


print(f(1, c=3))
print(f(1, 5, 6, 7, c=8, e=9))
print(f(*[1, 2, 3], **{"c": 4, "z": 5}))
print(f(c=1, a=2, **dict(d=3), x=4))
print(f(*(1,), *[2, 3], c=0, **{"p": 1}, **{"q": 2}))


def only(a, /, b, *, c=3):
    return a, b, c


print(only(1, 2), only(1, b=2, c=4))


def mutable(x, acc=[]):
    acc.append(x)
    return acc


print(mutable(1), mutable(2), mutable(3, []))


def none():
    pass


print(none(), (lambda: None)(), (lambda x, *y, z=3: (x, y, z))(1, 2))
for name, call in {
    "missing": lambda: f(1),
    "unexpected": lambda: only(1, 2, e=3),
    "positional": lambda: only(a=1, b=2),
    "many": lambda: none(1),
    "twice": lambda: only(1, 2, b=3),
}.items():
    try:
        call()
        print(name, "no error")
    except TypeError as e:
        print(name, "TypeError")
print(f.__name__, f.__defaults__, f.__kwdefaults__, (lambda: 0).__name__)


def annotated(x: int, y: "list[str]" = None) -> float:
    """Says nothing."""
    return x


print(annotated.__doc__, annotated.__annotations__["return"] is float, annotated(3))
annotated.tag = "t"
print(annotated.tag, hasattr(f, "tag"))
i = 10


def early(x=i):
    return x


i = 20
print(early())


def returns_many(n):
    if n > 0:
        return n, -n
    elif n == 0:
        return
    return None, None


a, b = returns_many(3)
print(a, b, returns_many(0), returns_many(-1))
order = []


def note(x):
    order.append(x)
    return x


f(note(1), note(2), c=note(3), d=note(4))
print(order, [note("a"), note("b")], {note("k"): note("v")}, order)
