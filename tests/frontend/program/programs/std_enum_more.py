import enum
import json
import copy
from enum import Enum, IntEnum, StrEnum, auto


class Kind(str, Enum):
    A = "a"
    B = "b"


class Num(int, Enum):
    ONE = 1
    TWO = 2


class S(StrEnum):
    LEFT = auto()
    RIGHT = "r"


class Level(IntEnum):
    LOW = 1
    HIGH = 5

    def up(self):
        return Level.HIGH


print(Kind.A, repr(Kind.A), f"{Kind.A}", "%s" % Kind.B, str(Kind.A), [Kind.A], Kind.A + "x", Kind.A.value, "".join([Kind.A, Kind.B]))
print(Num.ONE, repr(Num.TWO), Num.ONE + Num.TWO, f"{Num.TWO}", sorted([Num.TWO, Num.ONE]), Num(2))
print(S.LEFT, repr(S.RIGHT), S.LEFT == "left", f"{S.RIGHT}", S("r"), S.LEFT.upper())
print(Level.LOW, repr(Level.HIGH), f"{Level.HIGH}", Level.LOW.up(), "%d" % Level.HIGH, Level.HIGH * 2, max(Level), Level.LOW in (1, 2))
print(json.dumps({"k": Kind.A, "n": Level.HIGH, "l": [Num.ONE]}), copy.deepcopy(Kind.A) is Kind.A, copy.copy([Level.LOW])[0] is Level.LOW)
print({Kind.A: 1}["a"], {"b": 2}[Kind.B], Kind.A in {"a"}, Kind.A in ["a"], "a" == Kind.A, Kind.A != Kind.B, hash(Kind.A) == hash("a"), Level.LOW == 1.0, bool(Level.LOW))
print([k.value for k in Kind], {k.name: k for k in Level}, isinstance(Kind.A, str), isinstance(Level.LOW, int), Kind.A is Kind("a"), type(Kind.A).__name__)


class Act(Enum):
    RELU = "relu"
    GELU = "gelu"

    @staticmethod
    def parse(text):
        return Act[text.upper()] if isinstance(text, str) else text

    def __call__(self, x):
        return (self.value, x)

    def __str__(self):
        return "act:" + self.value


print(Act.parse("relu"), Act.GELU(3), f"{Act.RELU}", repr(Act.RELU), Act.parse(Act.GELU) is Act.GELU, [str(a) for a in Act])


class WithDefault(Enum):
    A = {"dim": 1}
    B = (1, 2)
    C = frozenset([1])

    @property
    def first(self):
        return next(iter(self.value))


print(WithDefault.A.value["dim"], WithDefault.B.value, WithDefault.B.first, WithDefault((1, 2)).name)


def dispatch(k):
    if k is Kind.A:
        return "is A"
    elif k == Kind.B:
        return "is B"
    return "none"


print(dispatch(Kind("a")), dispatch("b"), dispatch("c"))
try:
    Kind("zzz")
except ValueError as e:
    print(e)
try:
    Level.MISSING
except AttributeError:
    print("no member")
print(enum.Enum.__name__, issubclass(Kind, Enum), issubclass(Level, enum.IntEnum), list(Kind.__members__.items())[0][0])
