import functools, itertools, math
from dataclasses import dataclass, field

@dataclass
class Config:
    widths: list = field(default_factory=lambda: [8, 16])
    @property
    def total(self):
        return sum(w ** 2 for w in self.widths)

class Base:
    def __init_subclass__(cls, **kw):
        cls.kind = kw.get("kind", "plain")
    def __getattr__(self, name):
        raise AttributeError(name)

class Child(Base, kind="x"):
    def run(self, *args, scale=2, **kw):
        try:
            yield from (a * scale for a in args)
        finally:
            kw.clear()

def outer(n):
    total = 0
    def inner(k):
        nonlocal total
        total += k
        return total
    return [inner(i) for i in range(n) if i % 2]

match Config():
    case Config(widths=[a, *rest]) if a:
        print(f"{a:>4} {rest!r} {math.pi:.2f}")
print(list(Child().run(1, 2, scale=3)), outer(9), functools.reduce(max, [1, 2]))
while unknown_name if False else False:
    break
