rows = [("b", 2), ("a", 3), ("c", 2), ("a", 1)]
print(sorted(rows), sorted(rows, key=lambda r: r[1]), sorted(rows, key=lambda r: (-r[1], r[0])))
print(sorted(rows, key=lambda r: r[1], reverse=True), max(rows, key=lambda r: r[1]), min(rows, key=lambda r: r[1]))
rows.sort(key=lambda r: r[0], reverse=True)
print(rows, sorted([3, 1.5, True, -2]), sorted(["b", "A", "c"], key=str.lower), sorted("hello world".split(), key=len))
print(sorted({"b": 1, "a": 2}), sorted({"b": 1, "a": 2}.items()), sorted([[2], [1, 5], [1]]), sorted([(1, "b"), (1, "a")]))


class Version:
    def __init__(self, text):
        self.parts = [int(p) for p in text.split(".")]

    def __lt__(self, other):
        return self.parts < other.parts

    def __repr__(self):
        return ".".join(str(p) for p in self.parts)


vs = [Version(v) for v in ("1.10", "1.9", "0.3.1", "1.9.0")]
print(sorted(vs), max(vs), min(vs), sorted(vs, reverse=True))
big = [(i * 7919) % 101 for i in range(100)]
ordered = sorted(big)
print(all(a <= b for a, b in zip(ordered, ordered[1:])), ordered[:5], ordered[-3:])
stable = sorted(range(20), key=lambda n: n % 3)
print(stable, list(reversed(sorted("dbca"))))
print(sorted([0.5, -1, 2], key=abs), sorted([None, 1], key=lambda v: v is None), sorted([]), sorted([1]), sorted(["10", "9"], key=int))
names = ["layer10", "layer2", "layer1"]
print(sorted(names), sorted(names, key=lambda n: int(n[5:])))
calls = []
[3, 1, 2].sort(key=lambda v: calls.append(v) or v)
print(calls)
