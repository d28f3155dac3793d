class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


class Color:
    RED = "red"


def what(v):
    match v:
        case 0:
            return "zero"
        case 1 | 2 | 3:
            return "small"
        case -1:
            return "minus"
        case "relu" | "gelu" as name:
            return f"activation {name}"
        case Color.RED:
            return "the red"
        case None:
            return "none"
        case True:
            return "true"
        case []:
            return "empty"
        case [x]:
            return f"one {x}"
        case [int(a), str(b)]:
            return f"int {a} str {b}"
        case (x, y, *rest) if x == y:
            return f"equal {x} rest {rest}"
        case [first, *_]:
            return f"first {first}"
        case {"type": "conv", "size": [h, w]}:
            return f"conv {h}x{w}"
        case {"type": kind, **others}:
            return f"{kind} {others}"
        case Point(0, y=yy):
            return f"on axis {yy}"
        case Point(x=px, y=py) if px == py:
            return f"diagonal {px}"
        case Point():
            return "point"
        case float():
            return "float"
        case int(n) if n > 100:
            return f"big {n}"
        case str():
            return "text"
        case _:
            return "other"


for v in [0, 2, -1, "relu", "red", None, [], [5], [1, "b"], (7, 7, 8, 9), [1, 2], {"type": "conv", "size": (3, 5)},
          {"type": "pool", "k": 2}, Point(0, 4), Point(3, 3), Point(1, 2), 2.5, 500, "hm", 50, {}, b"x"]:
    print(what(v))


def command(text):
    match text.split():
        case ["go", ("north" | "south") as where]:
            return where
        case ["take", *things]:
            return things
        case [single]:
            return single
    return "fell through"


print(command("go north"), command("go up"), command("take a b"), command("look"))
match 3, 4:
    case a, b:
        print(a + b)
match = {"match": 1}
case = 2
print(match["match"], case)
match [1, [2, {"k": (3, 4)}]]:
    case [x, [y, {"k": (z, w)}]]:
        print(x, y, z, w)
