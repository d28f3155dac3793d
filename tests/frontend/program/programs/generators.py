def count(n):
    i = 0
    while i < n:
        yield i
        i += 1
    return "end"


print(list(count(4)), sum(count(5)), next(count(1)))


def echo():
    got = yield "ready"
    while got is not None:
        got = yield got * 2
    yield "bye"


g = echo()
print(next(g), g.send(3), g.send("ab"), g.send(None))


def outer():
    result = yield from count(2)
    yield result
    yield from "xy"
    yield from [10, 20]


print(list(outer()))


def closing():
    try:
        yield 1
        yield 2
    except ValueError as e:
        yield "caught " + str(e)
    finally:
        print("closed")


g = closing()
print(next(g), g.throw(ValueError("boom")))
print(list(g))
g = closing()
next(g)
g.close()
print(next(g, "exhausted"))


def naturals():
    n = 0
    while True:
        yield n
        n += 1


for n in naturals():
    if n > 3:
        break
print(n, [x for x, _ in zip(naturals(), range(3))])


def tree(depth):
    if depth:
        yield from tree(depth - 1)
        yield depth
        yield from tree(depth - 1)


print(list(tree(3)))
g = (x * x for x in range(4))
print(next(g), list(g), list(g))
print(sum(x for x in range(10) if x % 2), max((len(w), w) for w in ["a", "bcd"]), any(x > 2 for x in count(9)))


def stop():
    yield 1
    return 5


g = stop()
next(g)
try:
    next(g)
except StopIteration as e:
    print("value", e.value)


class Tree:
    def __init__(self, *kids):
        self.kids = kids

    def __iter__(self):
        yield self
        for k in self.kids:
            yield from k


print(len(list(Tree(Tree(), Tree(Tree())))))


def batches(items, size):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


print(list(batches(range(7), 3)))
a, *rest = count(4)
print(a, rest, dict(enumerate("ab")), list(zip(count(3), "abc")))
print([y for x in (count(i) for i in range(4)) for y in x])


def lazy():
    print("started")
    yield


g = lazy()
print("not yet")
next(g)
