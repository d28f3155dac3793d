a, b = {1, 2, 3}, {2, 3, 4}
print(sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), a <= b, {2} < a, a >= {1}, a.isdisjoint({9}))
a.add(9)
a.discard(100)
a.remove(1)
print(sorted(a), len(a), 9 in a, sorted(a.union([7], (8,))), sorted(a.intersection([2, 3])), sorted(a.difference([2])))
a.update([5], "x")
a -= {"x"}
a |= {6}
a &= {5, 6, 2}
print(sorted(a), a == {2, 5, 6}, {1, 1, 1}, set(), set("a"), {3}.copy(), a.issubset(range(10)), a.issuperset([5]))
f = frozenset([1, 2])
print(f, f | {3} == {1, 2, 3}, {f: "v"}[frozenset([2, 1])], hash(f) == hash(frozenset([2, 1])), f == {1, 2})
try:
    a.remove("none")
except KeyError as e:
    print("KeyError", e)
try:
    {[]}
except TypeError as e:
    print(e)
print(bool(set()), {x % 2 for x in [2, 4]}, sorted({(1, 2), (0, 5)}), set([1, 2]) == set([2, 1]))
t = (1, "a", 2.5)
print(t, t[0], t[-1], t[1:], len(t), t + (3,), t * 2, ("a" in t), t.index("a"), t.count(1), (), (1,), tuple("ab"))
x, (y, *z), w = 1, (2, 3, 4), 5
print(x, y, z, w, (1, 2) < (1, 3), (1, 2) == (1, 2), (2,) > (1, 9), hash((1, 2)) == hash((1, 2)))
x, y = y, x
print(x, y, t.__class__.__name__, isinstance(t, tuple), not (), tuple(i for i in range(2)), (1, [2])[1])
try:
    t[0] = 5
except TypeError as e:
    print("TypeError", e)
single = 5,
print(single, *single, *(1, 2), (*t, 1), sorted((3, 1, 2)), max((1, 5), (1, 3)), sum((1, 2)), 1 if (0,) else 2)
try:
    p, q = (1, 2, 3)
except ValueError as e:
    print(e)
try:
    p, q = (1,)
except ValueError as e:
    print(e)
try:
    p, *q, r = (1,)
except ValueError as e:
    print("ValueError")
