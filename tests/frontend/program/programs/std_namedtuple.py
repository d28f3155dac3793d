from collections import namedtuple
from typing import NamedTuple, Optional

Point = namedtuple("Point", ["x", "y"])
p = Point(1, y=2)
print(p, p.x, p[1], len(p), p == (1, 2), p._fields, p._asdict(), p._replace(x=9), Point._make([5, 6]))
x, y = p
print(x, y, [*p], p + (3,), isinstance(p, tuple), hash(p) == hash((1, 2)), sorted([Point(2, 0), Point(1, 5)]))
Conf = namedtuple("Conf", "a b c", defaults=[10, 20])
print(Conf(1), Conf(1, 2, c=3), Conf._field_defaults)
for bad in (lambda: Point(1), lambda: Point(1, 2, 3), lambda: Point(1, 2, z=1)):
    try:
        bad()
    except TypeError:
        print("TypeError")
try:
    p.x = 3
except AttributeError:
    print("immutable")


class Output(NamedTuple):
    """Result of a model."""
    loss: float
    logits: Optional[list] = None
    tag: str = "none"

    @property
    def double(self):
        return self.loss * 2

    def with_tag(self, tag):
        return self._replace(tag=tag)


o = Output(1.5, logits=[1])
print(o, o.loss, o.double, o.with_tag("t"), o[2], Output._fields, isinstance(o, Output), isinstance(o, tuple))
loss, *rest = o
print(loss, rest, Output(0.0), o == (1.5, [1], "none"), o._asdict())


class Sub(namedtuple("SubBase", "a, b")):
    def total(self):
        return self.a + self.b

    def __new__(cls, a, b=5):
        return super().__new__(cls, a, b)


print(Sub(1), Sub(1, 2).total(), Sub(3).total(), isinstance(Sub(1), tuple))
Alt = NamedTuple("Alt", [("i", int), ("s", str)])
print(Alt(1, "s"), Alt(i=2, s="z").s)
match p:
    case Point(x=1, y=yy):
        print("matched", yy)
match p:
    case (a, b):
        print("sequence", a, b)
State = namedtuple("State", ("params", "opt"))
state = State({"w": 1}, None)
state.params["w"] += 1
print(state, type(state).__name__, {**state._asdict(), "new": 1}, dict(zip(state._fields, state)))
print(max(Point(1, 2), Point(1, 3)), Point(*[1, 2]), Point(**{"x": 1, "y": 2}), repr(Point("a", None)), 2 in p, p.count(1), p.index(2))
