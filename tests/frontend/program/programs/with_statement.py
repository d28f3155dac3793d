class Manager:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        print("enter", self.name)
        return self.name.upper()

    def __exit__(self, kind, value, trace):
        print("exit", self.name, kind.__name__ if kind else None, value)
        return self.swallow


with Manager("a") as x:
    print("body", x)
with Manager("b", swallow=True):
    raise ValueError("hidden")
with Manager("c") as c, Manager("d") as d:
    print(c, d)
with (Manager("e") as e, Manager("f")):
    print(e)
try:
    with Manager("g"), Manager("h"):
        raise KeyError("seen")
except KeyError as err:
    print("caught", err)


def early():
    with Manager("r"):
        return "returned"


print(early())
for i in range(3):
    with Manager(str(i)):
        if i == 0:
            continue
        if i == 1:
            break
print(i)


class Pair:
    def __enter__(self):
        return 1, (2, 3)

    def __exit__(self, *exc):
        return None


with Pair() as (p, (q, r)):
    print(p, q, r)


class Holder:
    pass


h = Holder()
with Manager("attr") as h.value:
    pass
print(h.value)


def gen():
    with Manager("gen"):
        yield 1
        yield 2


print(list(gen()))
g = gen()
next(g)
g.close()


class Mode:
    training = True

    def __enter__(self):
        self.prev, Mode.training = Mode.training, False

    def __exit__(self, a, b, c):
        Mode.training = self.prev

    def __call__(self, f):
        def wrapped(*a, **k):
            with self:
                return f(*a, **k)
        return wrapped


@Mode()
def check():
    return Mode.training


print(check(), Mode.training)
