"""Decimal numbers, kept as floats."""


class Decimal(float):
    def quantize(self, step, rounding=None):
        return Decimal(round(self / step) * step)


ROUND_HALF_UP, ROUND_DOWN, ROUND_UP = "ROUND_HALF_UP", "ROUND_DOWN", "ROUND_UP"


def getcontext():
    from types import SimpleNamespace
    return SimpleNamespace(prec=28, rounding=ROUND_HALF_UP)
