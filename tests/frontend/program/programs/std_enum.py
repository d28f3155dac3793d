from enum import Enum, Flag, IntEnum, IntFlag, auto, unique


class Color(Enum):
    RED = 1
    GREEN = "g"
    CRIMSON = 1

    @property
    def pretty(self):
        return self.name.title()

    @classmethod
    def default(cls):
        return cls.GREEN


print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color.GREEN.pretty, Color.default())
print(Color(1) is Color.RED, Color["GREEN"], Color("g"), Color.CRIMSON is Color.RED, len(Color), list(Color))
print([c.name for c in Color], Color.RED in Color, isinstance(Color.RED, Color), Color.RED == 1, Color.RED != Color.GREEN)
print({Color.RED: "r"}[Color.RED], f"{Color.RED}", "%s" % Color.GREEN, type(Color.RED) is Color, Color.__name__)
try:
    Color(5)
except ValueError as e:
    print(e)
try:
    Color["PINK"]
except KeyError as e:
    print("KeyError", e)


class Mode(IntEnum):
    TRAIN = auto()
    EVAL = auto()
    TEST = 10


print(Mode.EVAL == 2, Mode.EVAL + 1, Mode.TRAIN < Mode.TEST, Mode(10).name, int(Mode.TEST), sorted([Mode.TEST, Mode.TRAIN]) == [1, 10], [10, 20, 30][Mode.TRAIN])
print(repr(Mode.TRAIN), isinstance(Mode.TRAIN, int), f"{Mode.TEST:03d}")


class Kind(str, Enum):
    CONV = "conv"
    ATTN = "attn"

    def build(self):
        return {Kind.CONV: 1, Kind.ATTN: 2}[self]


print(Kind.CONV == "conv", Kind("attn").build(), Kind.ATTN.upper(), Kind.CONV.value, "conv" in [k.value for k in Kind], {"conv": 5}[Kind.CONV])


class Planet(Enum):
    EARTH = (5.976e24, 6.37814e6)
    MARS = (6.421e23, 3.3972e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius


print(Planet.EARTH.mass, Planet.MARS.value, Planet.MARS.radius)


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()


rw = Perm.R | Perm.W
print(Perm.R in rw, Perm.X in rw, rw.value, bool(rw & Perm.X), (rw ^ Perm.R) is Perm.W, Perm.X.value, (~Perm.R).value)


class Bits(IntFlag):
    A = 1
    B = 2


print((Bits.A | Bits.B) == 3, int(Bits.A | Bits.B), Bits.A & 1 == 1)
Animal = Enum("Animal", "CAT DOG")
print(Animal.DOG.value, list(Animal), list(Color.__members__), Color._value2member_map_[1])


class Missing(Enum):
    A = "a"

    @classmethod
    def _missing_(cls, value):
        return cls.A if str(value).lower() == "a" else None


print(Missing("A"), hash(Color.RED) == hash(Color.RED), callable(Color))


@unique
class U(Enum):
    ONE = 1


match Color.RED:
    case Color.GREEN:
        print("no")
    case Color.RED:
        print("matched")
for i, c in enumerate(Color):
    print(i, c.value)


class Base(Enum):
    def describe(self):
        return f"{self.name}={self.value}"


class Derived(Base):
    X = [1, 2]
    Y = None


print(Derived.X.describe(), Derived.Y.describe(), Derived.X.value[1], isinstance(Derived.X, Base))
