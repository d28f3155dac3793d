class Base:
    def __init__(self, **kwargs):
        print("Base", sorted(kwargs))

    def go(self):
        return ["Base"]


class Left(Base):
    def __init__(self, left=1, **kwargs):
        print("Left", left)
        super().__init__(**kwargs)
        self.left = left

    def go(self):
        return ["Left"] + super().go()


class Right(Base):
    def __init__(self, right=2, **kwargs):
        print("Right", right)
        super().__init__(**kwargs)
        self.right = right

    def go(self):
        return ["Right"] + super(Right, self).go()


class Both(Left, Right):
    def __init__(self, **kwargs):
        super(Both, self).__init__(**kwargs)

    def go(self):
        return ["Both"] + super().go()


both = Both(left=10, right=20, other=30)
print(both.go())
print([c.__name__ for c in Both.__mro__])
print([c.__name__ for c in Both.mro()])
print(Both.__bases__ == (Left, Right), Both.__base__.__name__)
print(both.left, both.right)
print(isinstance(both, Right), isinstance(both, (int, Base)), issubclass(Both, Left), issubclass(Left, Right))
print(Left.go(both))
print([f() for f in [both.go, Left().go]])
try:
    class Wrong(Base, Left):
        pass
except TypeError as error:
    print("TypeError")
