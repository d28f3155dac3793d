class Layer:
    count = 0
    kinds = []

    def __init__(self, size, name="layer"):
        self.size = size
        self.name = name
        Layer.count += 1
        self.kinds.append(name)

    def __repr__(self):
        return f"Layer({self.size}, {self.name!r})"

    def scaled(self, factor=2):
        return type(self)(self.size * factor, name=self.name + "_scaled")

    @classmethod
    def tiny(cls):
        return cls(1, "tiny")

    @staticmethod
    def describe(x):
        return "size %d" % x


a = Layer(3)
b = a.scaled()
c = b.scaled(factor=5)
print(a, b, c)
print(Layer.tiny(), a.tiny().size)
print(Layer.describe(7), a.describe(8))
print(Layer.count, Layer.kinds, a.kinds is Layer.kinds)
a.count = 100
print(a.count, b.count, Layer.count)
del a.count
print(a.count)
print(a.__class__.__name__, type(b) is Layer, a.__dict__)
bound = a.scaled
print(bound(10), bound.__self__ is a, Layer.scaled(a, 4))
print(hasattr(a, "size"), hasattr(a, "nothing"), getattr(a, "nothing", "default"))
setattr(a, "extra", [1, 2])
print(a.extra, sorted(vars(a)))
delattr(a, "extra")
try:
    a.extra
except AttributeError as error:
    print("AttributeError:", error)
print(Layer.__name__, Layer.__module__, Layer.__qualname__, Layer.scaled.__qualname__)
