class Config:
    def __init__(self, width):
        self._width = width
        self._reads = 0

    @property
    def width(self):
        "The width."
        self._reads += 1
        return self._width

    @width.setter
    def width(self, value):
        if value < 0:
            raise ValueError(f"bad width {value}")
        self._width = value

    @width.deleter
    def width(self):
        print("deleting")
        self._width = None

    @property
    def area(self):
        return self.width ** 2

    height = property(lambda self: self._width + 1)


c = Config(4)
print(c.width, c.area, c.height)
c.width = 7
c.width += 1
print(c.width, c._reads)
try:
    c.width = -1
except ValueError as e:
    print(e)
try:
    c.area = 3
except AttributeError:
    print("area is read-only")
del c.width
print(c._width, isinstance(Config.width, property), Config.width.__doc__)


class Sub(Config):
    @property
    def width(self):
        return Config.width.fget(self) * 10


s = Sub(5)
print(s.width, s.area)


class Broken:
    @property
    def x(self):
        return self.missing

    def __getattr__(self, name):
        return "fallback " + name


print(Broken().x, Broken().other)
