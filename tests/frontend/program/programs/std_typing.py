from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, List, Literal, NamedTuple, NewType, Optional, Protocol, Sequence, Tuple, Type, TypedDict, TypeVar, Union, cast, get_args, get_origin, overload

if TYPE_CHECKING:
    import does_not_exist

T = TypeVar("T", bound="Base")
K = TypeVar("K")
Shape = Union[int, Tuple[int, int]]
Fn = Callable[[int, str], Dict[str, Any]]
Size = Literal["small", "large"]
UserId = NewType("UserId", int)


class Registry(Generic[T]):
    items: Dict[str, Type[T]]

    def __init__(self):
        self.items = {}

    def register(self, name: str) -> Callable[[Type[T]], Type[T]]:
        def inner(cls):
            self.items[name] = cls
            return cls
        return inner


registry: Registry[int] = Registry()
typed = Registry[str]()


@registry.register("x")
class Pair(Generic[T, K]):
    def __init__(self, a: T, b: Optional[K] = None) -> None:
        self.a, self.b = a, b


class IntPair(Pair[int, str]):
    pass


class Closeable(Protocol):
    def close(self) -> None: ...


class Options(TypedDict, total=False):
    lr: float
    name: str


class Impl(Closeable):
    def close(self):
        return "closed"


@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x):
    return x


def undefined_annotation(x: NoSuchName, y: also.missing[int] = 3) -> Missing:
    return x + y


print(sorted(registry.items), type(typed).__name__, IntPair(1, "b").b, isinstance(IntPair(1), Pair), Impl().close(), f(3), UserId(5) + 1)
o: Options = {"lr": 0.1}
print(o, Options(lr=0.5, name="n"), cast(int, "7"), undefined_annotation(1), TYPE_CHECKING)
print(get_origin(List[int]) is list, get_args(Dict[str, int]) == (str, int), get_origin(Optional[int]) is Union, get_args(Optional[int]) == (int, type(None)), get_args(Literal["a", 2]), get_origin(int))
print(isinstance([], typing.List), isinstance({}, typing.Mapping), isinstance(len, typing.Callable), List[int] == List[int], Optional[List[int]] == Union[List[int], None], Union[int, int] is int)
print(List[int], Optional[int], Dict[str, Any], Tuple[int, ...], typing.Any)


class Stack(List[int]):
    pass


s = Stack([1, 2])
s.append(3)
print(s, isinstance(s, list), len(s))


def takes(a: int, *rest: str, flag: bool = False, **kw: Any) -> Sequence[int]:
    local: List[Dict[str, "Unknown"]] = []
    return [a, len(rest), flag, len(local)]


print(takes(1, "a", flag=True), takes.__annotations__["a"])
x: int | None = None
y: list[str] | dict[str, int] = []
print(x, y, typing.cast("whatever", 3))
