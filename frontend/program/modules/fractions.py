"""Exact ratios."""


def _gcd(a, b):
    while b:
        a, b = b, a % b
    return abs(a)


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        if isinstance(numerator, str):
            above, _, below = numerator.partition("/")
            if "." in above:
                places = len(above.partition(".")[2])
                numerator, denominator = int(above.replace(".", "")), 10 ** places
            else:
                numerator, denominator = int(above), int(below or 1)
        elif isinstance(numerator, float):
            numerator, denominator = numerator.as_integer_ratio()
        if denominator is None:
            denominator = 1
        if isinstance(numerator, Fraction) or isinstance(denominator, Fraction):
            made = _lift(numerator) / _lift(denominator)
            numerator, denominator = made.numerator, made.denominator
        if denominator == 0:
            raise ZeroDivisionError(f"Fraction({numerator}, 0)")
        g = _gcd(numerator, denominator)
        if denominator < 0:
            g = -g
        self.numerator = numerator // g
        self.denominator = denominator // g

    def limit_denominator(self, max_denominator=1000000):
        best = Fraction(round(float(self)), 1)
        if self.denominator <= max_denominator:
            return self
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        one, two = Fraction(p0 + k * p1, q0 + k * q1), Fraction(p1, q1)
        best = two if abs(two - self) <= abs(one - self) else one
        return best

    def __add__(self, other):
        if isinstance(other, float):
            return float(self) + other
        o = _lift(other)
        return Fraction(self.numerator * o.denominator + o.numerator * self.denominator,
                        self.denominator * o.denominator)

    __radd__ = __add__

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        if isinstance(other, float):
            return float(self) * other
        o = _lift(other)
        return Fraction(self.numerator * o.numerator, self.denominator * o.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, float):
            return float(self) / other
        o = _lift(other)
        return Fraction(self.numerator * o.denominator, self.denominator * o.numerator)

    def __rtruediv__(self, other):
        return other / float(self) if isinstance(other, float) else _lift(other) / self

    def __floordiv__(self, other):
        made = self / other
        return made // 1.0 if isinstance(made, float) else made.numerator // made.denominator

    def __mod__(self, other):
        return self - other * (self // other)

    def __pow__(self, n):
        if isinstance(n, int):
            if n < 0:
                return Fraction(self.denominator ** -n, self.numerator ** -n)
            return Fraction(self.numerator ** n, self.denominator ** n)
        return float(self) ** float(n)

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __float__(self):
        return self.numerator / self.denominator

    def __int__(self):
        return int(self.numerator / self.denominator)

    def __round__(self, n=None):
        return round(float(self), n) if n is not None else round(float(self))

    def __bool__(self):
        return self.numerator != 0

    def __eq__(self, other):
        if isinstance(other, (int, Fraction)):
            o = _lift(other)
            return self.numerator == o.numerator and self.denominator == o.denominator
        return isinstance(other, float) and float(self) == other

    def __lt__(self, other):
        return float(self) < float(other)

    def __le__(self, other):
        return float(self) <= float(other)

    def __gt__(self, other):
        return float(self) > float(other)

    def __ge__(self, other):
        return float(self) >= float(other)

    def __hash__(self):
        return hash(self.numerator) if self.denominator == 1 else hash(float(self))

    def __str__(self):
        if self.denominator == 1:
            return str(self.numerator)
        return f"{self.numerator}/{self.denominator}"

    def __repr__(self):
        return f"Fraction({self.numerator}, {self.denominator})"


def _lift(value):
    return value if isinstance(value, Fraction) else Fraction(value)
