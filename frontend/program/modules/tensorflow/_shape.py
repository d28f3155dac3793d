"""Shapes of tensors: tuples of sizes, None for those that are not known."""


class Dimension:
    def __init__(self, value):
        self.value = value.value if isinstance(value, Dimension) else value

    def __int__(self):
        return self.value

    __index__ = __int__

    def __eq__(self, other):
        other = getattr(other, "value", other)
        return self.value == other

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.value)

    def __bool__(self):
        return self.value is not None and self.value != 0

    def __repr__(self):
        return "Dimension(" + str(self.value) + ")"

    def __str__(self):
        return "?" if self.value is None else str(self.value)

    def is_compatible_with(self, other):
        other = getattr(other, "value", other)
        return self.value is None or other is None or self.value == other

    def merge_with(self, other):
        return self if self.value is not None else Dimension(other)

    def assert_is_compatible_with(self, other):
        pass


def _arithmetic(cls, name, function):
    def forward(self, other):
        a, b = self.value, getattr(other, "value", other)
        if not isinstance(b, (int, float)) and b is not None:
            return NotImplemented
        return Dimension(None if a is None or b is None else function(a, b))

    def backward(self, other):
        return Dimension(None if self.value is None else function(other, self.value))
    setattr(cls, "__" + name + "__", forward)
    setattr(cls, "__r" + name + "__", backward)


_arithmetic(Dimension, "add", lambda a, b: a + b)
_arithmetic(Dimension, "sub", lambda a, b: a - b)
_arithmetic(Dimension, "mul", lambda a, b: a * b)
_arithmetic(Dimension, "floordiv", lambda a, b: a // b)
_arithmetic(Dimension, "div", lambda a, b: a // b)
_arithmetic(Dimension, "truediv", lambda a, b: a / b)
_arithmetic(Dimension, "mod", lambda a, b: a % b)


def _order(cls, name, function):
    def compare(self, other):
        b = getattr(other, "value", other)
        return None if self.value is None or b is None else function(self.value, b)
    setattr(cls, name, compare)


_order(Dimension, "__lt__", lambda a, b: a < b)
_order(Dimension, "__le__", lambda a, b: a <= b)
_order(Dimension, "__gt__", lambda a, b: a > b)
_order(Dimension, "__ge__", lambda a, b: a >= b)


def _sizes(dims):
    if dims is None:
        return ()
    if isinstance(dims, int):
        return (dims,)
    values = getattr(dims, "_h", None)
    if values is not None:
        import _tilewise
        found = _tilewise.numbers(values)
        dims = [None] * _tilewise.shape(values)[0] if found is None else found
    result = []
    for d in dims:
        if isinstance(d, Dimension):
            d = d.value
        elif d is not None and not isinstance(d, int):
            d = int(d)
        result.append(None if d == -1 else d)
    return tuple(result)


class TensorShape(tuple):
    """`TensorShape(None)` has no known rank: `no_rank`."""
    no_rank = False
    __tilewise_one__ = True  # no tuple in reality: one value of a text's "%s"

    def __new__(cls, dims=None):
        self = tuple.__new__(cls, _sizes(dims))
        if dims is None or getattr(dims, "no_rank", False) is True:
            self.no_rank = True
        return self

    def __getitem__(self, i):
        if isinstance(i, slice):
            return made(tuple.__getitem__(self, i))
        return tuple.__getitem__(self, i)

    def __eq__(self, other):
        if isinstance(other, (list, tuple)):
            return self.as_list() == (other.as_list() if isinstance(other, TensorShape)
                                      else [getattr(d, "value", d) for d in other])
        if other is None:
            return self.no_rank
        return False

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(tuple(self.as_list()))

    def __add__(self, other):
        return made(tuple(self.as_list()) + _sizes(other))

    def __radd__(self, other):
        return made(_sizes(other) + tuple(self.as_list()))

    def __bool__(self):
        return not self.no_rank

    def __repr__(self):
        return "TensorShape(" + str(self.as_list()) + ")"

    def __str__(self):
        if self.no_rank:
            return "<unknown>"
        texts = [str(d) for d in self.as_list()]
        return "(" + ", ".join(texts) + ("," if len(texts) == 1 else "") + ")"

    def as_list(self):
        return [d for d in tuple.__iter__(self)]

    @property
    def rank(self):
        return None if self.no_rank else len(self)

    ndims = rank

    @property
    def dims(self):
        return None if self.no_rank else [Dimension(d) for d in self.as_list()]

    def num_elements(self):
        n = 1
        for d in self.as_list():
            if d is None:
                return None
            n *= d
        return None if self.no_rank else n

    def is_fully_defined(self):
        return not self.no_rank and None not in self.as_list()

    def assert_is_fully_defined(self):
        pass

    def concatenate(self, other):
        return self + other

    def merge_with(self, other):
        other = TensorShape(other)
        if self.no_rank or other.no_rank:
            return other if self.no_rank else self
        return made([b if a is None else a for a, b in zip(self.as_list(), other.as_list())])

    def is_compatible_with(self, other):
        other = TensorShape(other)
        if self.no_rank or other.no_rank:
            return True
        a, b = self.as_list(), other.as_list()
        if len(a) != len(b):
            return False
        for m, n in zip(a, b):
            if m is not None and n is not None and m != n:
                return False
        return True

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError("Shapes " + str(self) + " and " + str(other) + " are incompatible")

    assert_same_rank = assert_is_compatible_with

    def with_rank(self, rank):
        if self.no_rank:
            return made([None] * int(rank))
        if len(self) != int(rank):
            raise ValueError("Shape " + str(self) + " must have rank " + str(rank))
        return self

    def with_rank_at_least(self, rank):
        if not self.no_rank and len(self) < rank:
            raise ValueError("Shape " + str(self) + " must have rank at least " + str(rank))
        return self

    assert_has_rank = with_rank

    def with_rank_at_most(self, rank):
        return self

    def as_proto(self):
        return self

    def most_specific_compatible_shape(self, other):
        return made([a if a == b else None for a, b in zip(self.as_list(), TensorShape(other))])


def made(dims):
    """A shape of sizes that are ints and None already."""
    return tuple.__new__(TensorShape, dims)


def unknown_shape(rank=None):
    return TensorShape(None) if rank is None else made([None] * rank)
