class Easy(dict):
    def __init__(self, *args, **kwargs):
        super(Easy, self).__init__(*args, **kwargs)
        self.__dict__ = self


e = Easy(a=1)
e.b = 2
e["c"] = 3
print(e.a, e.b, e.c, sorted(e), e["b"], len(e))
del e.b
print(hasattr(e, "b"), "b" in e, vars(e) is e)


class Shared:
    state = {}

    def __init__(self):
        self.__dict__ = self.state


one, two = Shared(), Shared()
one.x = 5
print(two.x, Shared.state)


class Copied:
    def __init__(self, other):
        self.__dict__ = other.__dict__


class Plain:
    pass


p = Plain()
p.y = 7
print(Copied(p).y)
try:
    e.missing
except AttributeError as error:
    print(error)


class Dotted(dict):
    __setattr__ = dict.__setitem__
    __getattr__ = dict.__getitem__


d = Dotted(a=1)
d.b = d.a + 1
print(d, d.b)
