class Bag:
    def __init__(self, items=()):
        self.items = dict(items)

    def __len__(self):
        return len(self.items)

    def __contains__(self, key):
        return key.lower() in self.items

    def __getitem__(self, key):
        if isinstance(key, slice):
            return ("slice", key.start, key.stop, key.step)
        if isinstance(key, tuple):
            return ("tuple",) + key
        return self.items[key]

    def __setitem__(self, key, value):
        self.items[key] = value

    def __delitem__(self, key):
        del self.items[key]

    def __iter__(self):
        return iter(sorted(self.items))

    def __reversed__(self):
        return iter(sorted(self.items, reverse=True))

    def __call__(self, *args, **kwargs):
        return args, kwargs


b = Bag({"a": 1, "c": 3})
b["b"] = 2
b["a"] += 10
print(len(b), "A" in b, "z" not in b, list(b), list(reversed(b)), b["a"])
del b["c"]
print([k for k in b], b[1:2], b[::3], b[1, ..., None], b[1:2, 0])
print(b(1, 2, x=3), callable(b), callable(3), bool(b), bool(Bag()))
x, y = b
print(x, y, *b, tuple(b), {*b} == {"a", "b"}, max(b), dict.fromkeys(b, 0))


class OldStyle:
    def __getitem__(self, i):
        if i >= 3:
            raise IndexError(i)
        return i * i


print(list(OldStyle()), 4 in OldStyle(), 5 in OldStyle(), [*OldStyle()])


class Truth:
    def __bool__(self):
        return False

    def __len__(self):
        return 5


print(bool(Truth()), not Truth(), "yes" if Truth() else "no", Truth() or "other", bool(object()))


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


c = Countdown(3)
print(next(c), list(c), next(c, "done"))
try:
    next(c)
except StopIteration:
    print("stopped")
print(list(iter([1, 2, 3].pop, 1)), len([1]) + len("ab") + len({1: 2}))


class Named:
    name = "named"


class Rows(Named, list):
    pass


class Kept(list):
    pass


class Table(Named, dict):
    pass


print(Rows(x for x in [1, 2]), Kept(iter("ab")), Table((x, 1) for x in "ab"), Rows(), Rows([3]).name)
