# Members of an enumeration of texts are texts: as keys, in formats, in comparisons.
import dataclasses
import inspect
from enum import Enum


class Kind(str, Enum):
    DENSE = "dense"
    SPARSE = "sparse"

    def __str__(self):
        return str.__str__(self)


class Number(int, Enum):
    TWO = 2


costs = {"dense": 1}
print(costs[Kind.DENSE], "dense" in {Kind.DENSE: 0}, Kind.DENSE in costs, Kind.SPARSE in costs)
print(hash(Kind.DENSE) == hash("dense"), {2: "two"}[Number.TWO])
print(f"{Kind.DENSE}", str(Kind.SPARSE), Kind("sparse") is Kind.SPARSE)


@dataclasses.dataclass(kw_only=True, slots=True)
class Settings:
    width: int = 8
    depth: int = 2


print(Settings.__slots__, [f.kw_only for f in dataclasses.fields(Settings)])
print(list(inspect.signature(Settings).parameters))
print(list(inspect.signature(Settings.__init__).parameters))
