x = 99
print([x for x in range(3)], x)
print([(i, j) for i in range(3) for j in range(i) if (i + j) % 2])
print({k: v for k, v in [("a", 1), ("b", 2)] if v > 1}, sorted({i % 3 for i in range(10)}))
print([[r * c for c in range(3)] for r in range(2)])
print([y := 5, y ** 2], y)
print([last := i for i in range(4)], last)
data = [1, 2, 3, 4]
if (n := len(data)) > 3:
    print("long", n)
while (v := data.pop()) > 2:
    print("popped", v)
print([f(2) for f in [lambda q: q + 1, lambda q: q * 10]])
print([a if a > 1 else -a for a in range(4)], [*range(3), *"ab"], {**{"a": 1}, "b": 2})


def scoped(n):
    k = 10
    return [k + i for i in range(n)], {i: k for i in range(2)}, sum(k for _ in range(3))


print(scoped(2))
print([x for x in [1, 2, 3] if x > 1 if x < 3])
print({i: [j for j in range(i)] for i in range(3)})
print([s.strip() for s in " a , b ".split(",")], [c for line in ["ab", "c"] for c in line])
print(dict([(i, str(i)) for i in range(2)]), tuple(i for i in range(3)), list(map(lambda a, b: a * b, [1, 2], [3, 4])))
print([a + b for a, b in zip([1, 2], [10, 20])], [i for i, (p, q) in enumerate([(1, 2), (3, 4)]) if q > 2])
print(list(filter(None, [0, 1, "", "a", None])), [k for k in {"z": 1, "y": 2}])
rows = [[1, 2, 3], [4, 5, 6]]
print([list(c) for c in zip(*rows)], [sum(r) for r in rows])
first, *middle, last = [i * i for i in range(5)]
print(first, middle, last)
print(any([n > 10 for n in (n * 2 for n in range(7))]), all(i for i in [1, 2]), x)
