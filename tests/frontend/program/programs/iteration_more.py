class Chain:
    def __init__(self, *parts):
        self.parts = parts

    def __iter__(self):
        for p in self.parts:
            yield from p

    def __len__(self):
        return sum(len(p) for p in self.parts)


c = Chain([1, 2], "ab", {"k": 0})
print(list(c), len(c), [*c], "a" in c, sorted(map(str, c)), dict(enumerate(c)), list(zip(c, c)))
a, *b = c
print(a, b, tuple(c)[-1], sum(Chain([1], [2, 3])), max(Chain([1, 9], [4])), ",".join(Chain("ab", "c")))
print(set(Chain("aa")) == {"a"}, any(Chain([0], [1])), list(reversed(list(c))))
d = {"x": 1, "y": 2}
for k in d:
    d[k] *= 10
for i, (k, v) in enumerate(d.items(), 1):
    print(i, k, v)
it = iter("abcdef")
print(list(zip(it, it)), list(it))
it = iter(range(10))
for x in it:
    if x == 3:
        break
print(next(it), list(it))
pairs = list(zip(*[(1, "a"), (2, "b")]))
print(pairs, dict(zip(*pairs)))
xs = [1, 2, 3]
for x in xs:
    if len(xs) < 6:
        xs.append(x * 10)
print(xs)


def window(seq, n):
    return [tuple(seq[i:i + n]) for i in range(len(seq) - n + 1)]


print(window(range(5), 2)[:2], window("abcd", 3))
e = enumerate(["p", "q"])
print(next(e), next(e), next(e, "over"))
print([list(g) for g in [iter([1]), (i for i in "z"), map(abs, [-1])]], list(iter(d)), list(d.values()), list(iter((1, 2))))


class Dataset:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError("out of range")
        return i * i, str(i)


ds = Dataset(4)
for value, label in ds:
    print(value, label, end=" ")
print(len(ds), list(ds)[-1], [v for v, _ in ds], dict((s, v) for v, s in ds))
layers = [8, 16, 32]
print([(i, o) for i, o in zip(layers[:-1], layers[1:])], [n for n in reversed(layers)], sum(a * b for a, b in zip(layers, layers[1:])))
total = 0
for total, step in zip(range(3), [10, 20, 30]):
    total += step
print(total, step)
