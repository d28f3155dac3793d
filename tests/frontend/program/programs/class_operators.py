class Vec:
    def __init__(self, *v):
        self.v = list(v)

    def __repr__(self):
        return "Vec(" + ", ".join(map(str, self.v)) + ")"

    def _lift(self, o):
        return o.v if isinstance(o, Vec) else [o] * len(self.v)

    def __add__(self, o):
        return Vec(*[a + b for a, b in zip(self.v, self._lift(o))])

    __radd__ = __add__

    def __sub__(self, o):
        return Vec(*[a - b for a, b in zip(self.v, self._lift(o))])

    def __rsub__(self, o):
        return Vec(*[b - a for a, b in zip(self.v, self._lift(o))])

    def __mul__(self, o):
        if isinstance(o, str):
            return NotImplemented
        return Vec(*[a * b for a, b in zip(self.v, self._lift(o))])

    def __rmul__(self, o):
        return self * o

    def __matmul__(self, o):
        return sum(a * b for a, b in zip(self.v, o.v))

    def __truediv__(self, o):
        return Vec(*[a / o for a in self.v])

    def __floordiv__(self, o):
        return Vec(*[a // o for a in self.v])

    def __mod__(self, o):
        return Vec(*[a % o for a in self.v])

    def __pow__(self, o):
        return Vec(*[a ** o for a in self.v])

    def __neg__(self):
        return Vec(*[-a for a in self.v])

    def __invert__(self):
        return Vec(*reversed(self.v))

    def __abs__(self):
        return sum(abs(a) for a in self.v)

    def __iadd__(self, o):
        self.v.append(o)
        return self

    def __and__(self, o):
        return "and"

    def __or__(self, o):
        return "or"

    def __xor__(self, o):
        return "xor"

    def __lshift__(self, o):
        return ("shl", o)

    def __ror__(self, o):
        return ("ror", o)

    def __eq__(self, o):
        return isinstance(o, Vec) and self.v == o.v

    def __lt__(self, o):
        return abs(self) < abs(o)

    def __float__(self):
        return float(abs(self))

    def __int__(self):
        return int(abs(self))

    def __index__(self):
        return len(self.v)


a, b = Vec(1, 2), Vec(3, 4)
print(a + b, a + 1, 1 + a, a - b, 10 - a, a * b, 2 * a, a @ b)
print(a / 2, b // 2, b % 2, a ** 2, -a, ~a, abs(b), +3)
c = a
c += 9
print(c is a, a)
a *= 2
print(a, c)
print(a & b, a | b, a ^ b, a << 3, 5 | a)
print(a == Vec(2, 4, 18), a != b, a == 3, b < a, b > a, sorted([a, b, Vec(0)]))
print(float(b), int(b), [10, 20, 30][b], sum([Vec(1), Vec(2)], Vec(3)))
for bad in (lambda: Vec(1) * "x", lambda: Vec(1) >> 1, lambda: a <= b):
    try:
        bad()
    except TypeError as e:
        print("TypeError")
