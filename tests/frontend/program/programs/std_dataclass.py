from dataclasses import (InitVar, FrozenInstanceError, asdict, astuple, dataclass, field, fields, is_dataclass,
                         make_dataclass, replace)
from typing import ClassVar, List, Optional


@dataclass
class GPTConfig:
    block_size: int = 1024
    vocab_size: int = 50304
    n_layer: int = 12
    dropout: float = 0.0
    bias: bool = True
    name: Optional[str] = None
    betas: tuple = (0.9, 0.95)
    layers: List[int] = field(default_factory=lambda: [1, 2])
    total: ClassVar[int] = 99

    @property
    def head(self):
        return self.n_layer * 2


c = GPTConfig(block_size=256, n_layer=6)
print(c)
print(c.head, c.total, GPTConfig.total, GPTConfig.n_layer, GPTConfig().layers is GPTConfig().layers)
print(asdict(c))
print([f.name for f in fields(c)], is_dataclass(c), is_dataclass(GPTConfig), is_dataclass(3))
print(replace(c, dropout=0.1), c == GPTConfig(256, n_layer=6), c != GPTConfig())
d = GPTConfig(**{"vocab_size": 65, "bias": False})
d.n_layer += 1
print(d.n_layer, d.bias, hasattr(GPTConfig, "layers"))


@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int = 0
    label: str = field(default="p", compare=False, repr=False)


p = Point(1, 2)
print(p, p < Point(1, 3), sorted([Point(3), Point(1, 9), Point(1)]), {p: 1}[Point(1, 2, "other")], max(p, Point(0)))
try:
    p.x = 5
except FrozenInstanceError as e:
    print("frozen", e)


@dataclass
class Base:
    a: int
    scale: InitVar[int] = 2
    doubled: int = field(init=False, default=0)

    def __post_init__(self, scale):
        self.doubled = self.a * scale


@dataclass
class Child(Base):
    b: str = "b"
    nested: Point = field(default_factory=lambda: Point(7))

    def __post_init__(self, scale):
        super().__post_init__(scale)
        self.b += "!"


ch = Child(4, 3, b="x")
print(ch, ch.doubled, asdict(ch), astuple(ch))


@dataclass(kw_only=True)
class Keyword:
    lr: float
    steps: int = 10


print(Keyword(lr=0.1))
for bad in (lambda: Keyword(0.1), lambda: Point(), lambda: GPTConfig(zzz=1), lambda: Point(1, x=2)):
    try:
        bad()
    except TypeError:
        print("TypeError")
try:
    @dataclass
    class Mutable:
        items: list = []
except ValueError:
    print("mutable default refused")
M = make_dataclass("M", [("a", int), ("b", str, "bee")])
print(M(1))
match p:
    case Point(1, y):
        print("matched", y)


@dataclass(eq=False, repr=False)
class Plain:
    x: int = 1


print(Plain() == Plain(), Plain().x, Plain.__name__, Child.__mro__[1].__name__)
