print(abs(-1), all([1, 1]), any([0]), ascii("é"), bin(5), callable(print), chr(65), divmod(9, 4), enumerate is not None)
print(list(filter(lambda x: x > 1, [1, 2, 3])), list(map(str, [1, 2])), list(map(lambda a, b: a + b, [1, 2], [3, 4, 5])), list(reversed([1, 2])), list(zip("ab", [1, 2], (3, 4))))
print(max([1, 5, 3]), max("a", "b"), min([3, 2], key=lambda v: -v), min(4, 2, 9), max([1, -7], key=abs), sum(range(5)), sum([1, 2], 10), sorted({3, 1, 2}), pow(3, 2))
print(*range(3), sep="-", end=".\n")
print("a", "b", sep="")
print()
print("x", end="")
print("y", flush=True)
print(list(enumerate("ab", start=5)), next(iter([9])), next(iter([]), None), iter([1]) is not None, len("abc"), repr("a"), str(4.50), hash("k") == hash("k"))
it = iter([1, 2, 3])
print(next(it), list(it), list(it))
print(getattr(3, "real"), vars(type("T", (), {"a": 1})())  == {}, isinstance(dir([]), list), "append" in dir([]), slice(1, 2), slice(None, 5, None))
print(list(zip([1, 2], [3], strict=False)), dict(enumerate("ab")), set(map(len, ["a", "bb"])) == {1, 2}, tuple(map(int, "123")))
try:
    list(zip([1, 2], [3], strict=True))
except ValueError:
    print("strict zip")
try:
    max([])
except ValueError as e:
    print(type(e).__name__)
try:
    next(iter([]))
except StopIteration:
    print("stop")
print(eval("1 + 2") if False else 3, round(3.14159, 3), ord("é"), format(3.14159, ".1f"), int.__name__, sorted("bca", reverse=True), reversed("ab") is not None)
m = map(lambda x: x * 2, range(3))
print(next(m), list(m), list(filter(str.isalpha, "a1b")), list(map(str.upper, ["x"])), sorted(["B", "a"], key=str.lower), list(map(int.__add__, [1], [2])))
r = range(2, 20, 4)
print(r, r.start, r.stop, r.step, len(r), r[1], r[-1], list(r[1:3]), 6 in r, r.index(10), list(reversed(r)), range(0), bool(range(0)), tuple(range(3, 0, -1)))
print(globals()["__name__"], locals() is not None, "r" in globals(), type(globals()).__name__)


def f(a):
    b = 2
    return sorted(locals())


print(f(1), bytes(3), bytearray(b"ab")[0], b"a,b".split(b","), memoryview is not None, complex(1, 2), frozenset() == set(), object() != object())
print(list.append is not None, str.join(",", "ab"), dict.get({"a": 1}, "a"), list.__len__([1]), str.__add__("a", "b"), "a".__eq__("a"), (5).__add__(3), [1].__contains__(1))
print(__import__("sys").__name__, print.__name__, isinstance(print, object), type(print).__name__)
