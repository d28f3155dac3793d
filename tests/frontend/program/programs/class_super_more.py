class Module:
    def __init__(self):
        self.items = []

    @classmethod
    def build(cls, *args):
        made = cls()
        made.items.extend(args)
        return made

    @property
    def first(self):
        return self.items[0]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class Loud(Module):
    @classmethod
    def build(cls, *args):
        return super().build(*[str(a).upper() for a in args])

    @property
    def first(self):
        return "<" + super().first + ">"

    def __getitem__(self, i):
        return super().__getitem__(i) + "!"

    def __len__(self):
        return super().__len__() + 100


one = Loud.build("a", "b")
print(one.first, one[1], len(one), one[-1])
print(type(one).__name__, [x for x in Module.build(1, 2)])


class Inner(Loud):
    def later(self):
        def nested():
            return super(Inner, self).first
        return [nested(), [super(Inner, self).first for _ in range(2)]]

    def no_args(self):
        return (lambda: super().first)() if False else super().first


two = Inner.build("q")
print(two.later(), two.no_args())


class Meta(type):
    pass


print(type(Module), type(Meta), super)
