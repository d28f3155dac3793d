import collections.abc
import importlib
import json as j
import math
import os.path
import sys
from collections import OrderedDict as OD, namedtuple as nt
from importlib import import_module
from math import ceil, floor, log, pi, sqrt

print(__name__, j.__name__, os.path.basename("a/b"), math.__name__, OD([(1, 2)])[1], collections.OrderedDict is OD)
print(ceil(2.1), floor(-2.1), sqrt(16), round(log(math.e), 6), round(pi, 5), math.prod([1, 2, 3, 4]), math.gcd(12, 18), math.inf > 1, math.isnan(math.nan), math.log2(8), math.comb(5, 2), math.isclose(0.1 + 0.2, 0.3), math.trunc(-2.5), math.hypot(3, 4))
print(math.log(8, 2), math.exp(0), math.cos(0), math.floor(2.9), math.ceil(-0.5), math.copysign(1, -2), math.fmod(7, 3), math.factorial(5), math.log10(1000), math.tanh(0), math.pow(2, 3), math.fsum([0.1] * 10), math.isqrt(17), math.degrees(math.pi), math.erf(0))
functional = importlib.import_module("functools")
print(functional.reduce(lambda a, b: a + b, [1, 2]), import_module("os.path").join("a", "b"), getattr(importlib.import_module("math"), "sqrt")(9))
try:
    import fast_but_missing
    have = True
except ImportError:
    have = False
try:
    from json import no_such_name
except ImportError:
    print("ImportError")
print(have, "json" in sys.modules, sys.modules["math"] is math, hasattr(math, "tau"), sys.version_info >= (3, 8), sys.version_info[:2] >= (3, 7), sys.version_info.major, sys.platform, sys.maxsize == 2 ** 63 - 1)
if sys.version_info < (3, 5):
    import impossible
if __name__ == "__main__":
    print("main", nt("P", "a b")(1, 2))


def local_import():
    import string as st
    from itertools import chain
    return st.digits[:2], list(chain([1], [2]))


print(local_import(), "st" in globals())
from collections import *
print(Counter("aab")["a"], deque([1])[0])
sys.stdout.write("written\n")
sys.stdout.flush()
print("to stderr", file=sys.stderr)
print("to stdout", file=sys.stdout)
print(type(math).__name__, [m for m in ("a", "b") if m not in sys.modules], sys.exit.__name__, callable(sys.exit))


class Loader(importlib.abc.Loader):
    pass


print(isinstance(Loader(), importlib.abc.Loader))
