a = [3, 1, 2]
a.append(4)
a.extend((5, 6))
a += [7]
a.insert(0, 0)
a.insert(-1, 99)
print(a, len(a), a.index(2), a.count(3), 99 in a)
a.remove(99)
print(a.pop(), a.pop(0), a, a[-1], a[1:3], a[::-1], a[::2], a[-2:])
a.sort()
print(a, sorted(a, reverse=True), list(reversed(a)), a == [1, 2, 3, 4, 5, 6], a < [1, 3], [1, 2] < [1, 2, 0])
a.reverse()
a[0] = 60
a[1:3] = ["x", "y", "z"]
print(a)
a[::2] = [0] * len(a[::2])
print(a)
del a[0], a[-1]
del a[1:3]
print(a, a * 2, [0] * 3, [[]] * 2, a + [1], 2 * [1])
b = a.copy()
c = a[:]
d = a
d.append("end")
print(a, b, c, a is d, a is c, b == c)
b.clear()
print(b, not b, bool([0]), [] or "empty", [1] and "full")
grid = [[0] * 2 for _ in range(2)]
grid[0][1] = 5
shared = [[0] * 2] * 2
shared[0][1] = 5
print(grid, shared)
print(sum([1, 2.5]), min([3, 1]), max(3, 9, 4), max([], default=-1), min("b", "a"), sum([[1], [2]], []))
print(list(range(5)), list(range(2, 10, 3)), list(range(5, 0, -2)), range(10)[3], range(10)[2:5], len(range(0, 10, 3)), 4 in range(0, 10, 2), range(3) == range(0, 3))
print(list("abc"), list({"k": 1}), list((1, 2)), [*range(2)], list(), [1, [2, [3, [4]]]])
print(list(enumerate("ab", 1)), list(zip([1, 2, 3], "ab")), list(zip()), dict(zip("ab", [1, 2])), all([]), any([]))
words = ["pear", "fig", "apple", "kiwi"]
print(sorted(words), sorted(words, key=len), sorted(words, key=lambda w: (-len(w), w)), max(words, key=len), min(words, key=lambda w: w[-1]))
pairs = [(1, "b"), (0, "z"), (1, "a"), (0, "a")]
pairs.sort(key=lambda p: p[0])
print(pairs, sorted(pairs), sorted(pairs, key=lambda p: p[1], reverse=True))
for bad in (lambda: [][0], lambda: [].pop(), lambda: [1].remove(2), lambda: [1].index(5), lambda: a["a"], lambda: sorted([1, "a"])):
    try:
        bad()
    except (IndexError, ValueError, TypeError) as e:
        print(type(e).__name__, e)
x = [1, 2, 3, 4, 5]
x[1], x[3] = x[3], x[1]
i = 0
i, x[i] = 2, "first"
print(x, i, x[slice(1, 3)], [1, 2, 3][True], x[-5], x[1:][0])
t = []
t.append(t)
print(len(t), t[0] is t, repr(t))
x[len(x):] = [6]
x[:0] = [0]
print(x, [i for i in x if isinstance(i, int)], [None] * 2, [1, 2] == (1, 2), list(map(str, [1, 2])))
