class A:
    pass


class B(A):
    pass


def f():
    yield 1


print(isinstance(1, int), isinstance(1, float), isinstance(1.0, (int, float)), isinstance("s", str), isinstance(None, type(None)), isinstance([], (list, tuple)))
print(isinstance(B(), A), isinstance(A(), B), type(B()) == B, type(B()) is A, issubclass(B, A), issubclass(bool, int), issubclass(A, object), isinstance(A, type))
print(type(1), type("s"), type(1.5), type([]), type({}), type(()), type(set()), type(None), type(True), type(b""))
print(type(1).__name__, type(A()).__name__, type(f).__name__, type(f()).__name__, type(len).__name__, type(lambda: 0).__name__, type(A().__init__) is not None)
print(isinstance(3, int | str), isinstance([], int | None), isinstance(None, int | None), callable(A), callable(A()), callable(f))
print(str(type(A())), repr(A), int, str(list), A.__name__, type(A), type(type))
kinds = {int: "i", str: "s", list: "l", float: "f"}
print([kinds[type(v)] for v in (1, "a", [], 2.0)], kinds.get(type({}), "?"), type(3)("7"), type([])((1, 2)))
print(int is int, int == type(5), type(2.0) in (int, float), (lambda v: v.__class__)(5), B.__mro__[1] is A, object.__name__)
print(hasattr([], "append"), hasattr(5, "append"), hasattr(A, "__init__"), getattr([1, 2], "__len__")(), [].__class__ is list, hasattr("", "join"))
print(bool("False"), bool("0"), bool([[]]), bool(None), list((1, 2)) == [1, 2], tuple([1]) == (1,), str(5) + "5", int("5") + 5, float(5), set([1]) == {1})
print(id(A) == id(A), A is A, [] is [], None is None, () == (), 1 != "1", [1] != [2], not (1 == 2))
x = list[int]
y = dict[str, list[int]]
print(x, y, int | None, tuple[int, ...], type[A] is not None)
print(x.__origin__ is list, x() == [], callable(x))
try:
    isinstance(1, "int")
except TypeError as e:
    print("TypeError")
print(repr(f).startswith("<function f at 0x"), repr(A()).startswith("<__main__.A object at 0x"), repr(len), repr(A().__eq__).startswith("<method"))
print(NotImplemented, Ellipsis, __name__, type(NotImplemented).__name__, type(...).__name__)
