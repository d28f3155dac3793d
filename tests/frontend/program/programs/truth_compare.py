class Always:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return "ne"


class Ordered:
    def __init__(self, v):
        self.v = v

    def __lt__(self, o):
        print("lt", self.v, o.v)
        return self.v < o.v

    def __gt__(self, o):
        print("gt", self.v, o.v)
        return self.v > o.v


class Elementwise:
    def __init__(self, *v):
        self.v = v

    def __eq__(self, o):
        return Elementwise(*[a == o for a in self.v])

    def __gt__(self, o):
        return [a > o for a in self.v]

    __hash__ = object.__hash__

    def all(self):
        return all(self.v)


print(Always() == 1, 1 == Always(), Always() != 2, Always() in [1], [Always()] == [5])
print(Ordered(1) < Ordered(2), Ordered(3) > Ordered(2))
print((Elementwise(1, 1) == 1).all(), Elementwise(1, 5) > 2, (Elementwise(1) == 1).v, len({Elementwise(1): 2}))


def loud(v):
    print("eval", v)
    return v


print(loud(1) < loud(2) < loud(3))
print(loud(5) < loud(2) < loud(3))
print(loud(0) or loud("x") and loud("y"))
print(loud(0) and loud(1), not loud(""))
print(1 < 2 == 2, (1 < 2) == 2, 1 == 1 in [1], 3 in [1, 2] or "no", "a" in "abc" in ["abc"], None is None is not False)
print([1, 2] < [1, 2, 3], (1, "b") > (1, "a"), "abc" > "ab", {1} <= {1, 2}, [[1, 2], 3] == [[1, 2], 3.0], {"a": [1]} == {"a": [1]})
for bad in (lambda: 1 < "a", lambda: [1] < (1,), lambda: {} < {}, lambda: None < 1, lambda: object() < object()):
    try:
        print(bad())
    except TypeError as e:
        print("TypeError")
print(1 == "1", None == 0, [] == (), 0 == False, "" == None, 1.0 == True, {} == [])
nan = float("nan")
print(nan != nan, nan in [nan], nan < 1, nan > 1, max(1, 2, key=lambda v: -v), [nan] == [nan])


class NoBool:
    def __bool__(self):
        raise ValueError("ambiguous")


try:
    if NoBool():
        pass
except ValueError as e:
    print(e)
x = None
print(x is None or x.attr, x and x.attr, "default" if x is None else x, (x or {}).get("k", 1))
