# What types of the language make when they are called, and what operators of
# texts and lists do.
import types


class Shown:
    def __init__(self, n):
        self.n = n

    def __float__(self):
        return float(self.n)

    def __rmod__(self, other):
        return "rmod"

    def __str__(self):
        return "shown " + str(self.n)


def add(self, k):
    return self.n + k


bound = types.MethodType(add, Shown(3))
print(bound(4), bound.__func__ is add, bound.__self__.n)
print("%s and %.1f" % (Shown(1), Shown(2)))
print("%s" % Shown(5))

for kind in (NotADirectoryError, IsADirectoryError, ConnectionResetError, BrokenPipeError):
    print(kind.__name__, issubclass(kind, OSError), kind.__mro__[1].__name__)

try:
    raise NotADirectoryError("x")
except OSError as error:
    print(type(error).__name__, error)


def checked(n):
    if n < 0:
        raise ValueError("negative")
    else:
        return n


for n in (1, -1):
    try:
        print(checked(n))
    except ValueError as error:
        print("taken:", error)

try:
    [1, 2].remove(3)
except ValueError as error:
    print(error)

holder = Shown(0)
holder.extra = 1
del holder.extra
print(sorted(vars(holder)), "extra" in vars(holder))
