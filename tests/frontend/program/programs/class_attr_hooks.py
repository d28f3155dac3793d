class Store:
    def __init__(self):
        object.__setattr__(self, "_data", {})
        object.__setattr__(self, "log", [])

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self._data:
            return self._data[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name, value):
        self.log.append(("set", name))
        if name == "plain":
            super().__setattr__(name, value)
        else:
            self._data[name] = value

    def __delattr__(self, name):
        self.log.append(("del", name))
        if name in self._data:
            del self._data[name]
        else:
            object.__delattr__(self, name)


s = Store()
s.a = 1
s.plain = 2
s.a += 5
print(s.a, s.plain, s._data, sorted(s.__dict__))
del s.a
del s.plain
print(hasattr(s, "a"), hasattr(s, "plain"), getattr(s, "zz", None))
try:
    s.b
except AttributeError as e:
    print(e)
print(s.log)


class AttributeDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    def __setattr__(self, name, value):
        self[name] = value


d = AttributeDict(x=1)
d.y = [1, 2]
print(d, d.x, d["y"], hasattr(d, "z"), "y" in d, len(d))
print(isinstance(d, dict), dict(d), {**d}, d == {"x": 1, "y": [1, 2]})


class Tracing:
    x = 1

    def __getattribute__(self, name):
        if name == "magic":
            return 42
        return object.__getattribute__(self, name)


print(Tracing().magic, Tracing().x)
