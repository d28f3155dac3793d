a, b = 1, 2
a, b = b, a
(c, d), e = [3, 4], "e"
[f, *g] = "xyz"
*h, i = range(4)
print(a, b, c, d, e, f, g, h, i)
first, second = {"k1": 1, "k2": 2}
print(first, second)
x = y = z = []
y.append(1)
print(x, z, x is z)
for i, (name, (lo, hi)) in enumerate([("a", (1, 2)), ("b", (3, 4))]):
    print(i, name, lo, hi)
for k, *v in [(1, 2, 3), "ab"]:
    print(k, v)


class Holder:
    pass


o = Holder()
o.a, o.b = 1, 2
arr = [0] * 3
arr[0], arr[2], o.c = 7, 8, 9
print(o.a, o.b, o.c, arr)
m = {}
m["x"], m["y"] = m["z"] = (1, 2)
print(m)


def f(*args, **kw):
    return args, kw


print(f(*range(2), *[5], k=1, **{"j": 2}), f(*"ab"), f(**{}), [*range(2), *(3, 4)], {*[1], *[1]}, (*[1], 2))
i = 0
for i, arr[i] in enumerate("pq"):
    pass
print(arr, i)
total = 0
for total in range(3):
    pass
else:
    print("else", total)
(lone,) = [1]
[lone2] = (2,)
print(lone, lone2)
with_star = lambda *a: a
print(with_star(*[1, 2], 3, *"z"), print, sep="|", end="!\n") if False else print(with_star(*[1, 2], 3, *"z"), sep="|", end="!\n")
a: int = 5
b: "list[int]"
print(a, "b" in dir() and b)
a += 1; a *= 2; a -= 1; a //= 2; a **= 2; a %= 7; a <<= 3; a |= 1; a ^= 2; a &= 0xff; a >>= 1
print(a)
f1 = 7
f1 /= 2
print(f1, *[1], *[], sep=",")
