from typing import ClassVar, List, Optional

import attr
from attrs import define, field
from packaging import version
from packaging.version import Version, parse
from pydantic import BaseModel, Field, field_validator


class Inner(BaseModel):
    width: int = 8


class Config(BaseModel):
    lr: float
    steps: int = 10
    name: Optional[str] = None
    inner: Inner = Field(default_factory=Inner)
    many: List[Inner] = []
    kind: ClassVar[str] = "k"

    @field_validator("steps")
    @classmethod
    def double(cls, v):
        return v * 2


c = Config(lr="0.5", inner={"width": 3}, many=[{"width": 1}])
print(c, c.inner.width, c.many[0].width, c.steps, type(c.lr).__name__)
print(c.model_dump(), list(Config.model_fields), c.model_copy(update={"lr": 1.0}).lr, Config(lr=1) == Config(lr=1.0))
print(Config.model_validate({"lr": 2}).lr, Config.model_validate_json('{"lr": 3}').lr, c.model_dump_json())
try:
    Config()
except ValueError:
    print("lr is required")


@define
class Point:
    x: int
    y: int = 2
    tags: list = field(factory=list)


@attr.s(auto_attribs=True, frozen=True)
class Old:
    a: int = 1
    b: float = attr.ib(default=2.0, converter=float)

    @property
    def sum(self):
        return self.a + self.b


@attr.s
class Older:
    q = attr.ib()
    r = attr.ib(default=5)


@attr.define
class Private:
    _kind: str
    size: int = 3


p = Point(1)
p.x = 5
print(p, Point(1) == Point(1), attr.asdict(p), Old(b="3").sum, attr.evolve(Old(), a=9), Older(1), Older(2, r=3).r)
print(Private(kind="a")._kind, Private("b", size=4).size, attr.evolve(Private("c"), size=5)._kind)
try:
    Old().a = 3
except AttributeError:
    print("frozen")
print(version.parse("1.10.0") > version.parse("1.9"), parse("2.0.1+cu118") >= Version("2.0"), Version("2.1.0a0") < Version("2.1"), Version("1.0") == Version("1.0.0"), str(Version("2.0.1+cu118")), Version("2.3.dev1") < Version("2.3"), parse("1.2.3").release, parse("1.12").minor)
