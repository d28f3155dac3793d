from abc import ABC, ABCMeta, abstractmethod
import heapq
import bisect
import operator
import string
import textwrap
import types
from operator import attrgetter, itemgetter, mul


class Layer(ABC):
    @abstractmethod
    def forward(self, x):
        ...

    @property
    @abstractmethod
    def size(self):
        raise NotImplementedError

    def __call__(self, x):
        return self.forward(x)


class Double(Layer):
    size = 2

    def forward(self, x):
        return x * self.size


class Meta(metaclass=ABCMeta):
    @classmethod
    @abstractmethod
    def make(cls): ...


class Made(Meta):
    @classmethod
    def make(cls):
        return cls.__name__


print(Double()(4), isinstance(Double(), Layer), Made.make(), issubclass(Made, Meta), [c.__name__ for c in Double.__mro__])
rows = [{"n": "b", "v": 2}, {"n": "a", "v": 3}]
print(sorted(rows, key=itemgetter("n")), itemgetter(1, 0)("xyz"), operator.add(1, 2), mul(3, 4), operator.floordiv(7, 2), list(map(operator.neg, [1, 2])), operator.itemgetter(slice(1, None))([1, 2, 3]))
ns = types.SimpleNamespace(a=1, sub=types.SimpleNamespace(b=2))
ns.c = 3
print(ns, attrgetter("sub.b")(ns), attrgetter("a", "c")(ns), ns == types.SimpleNamespace(a=1, sub=ns.sub, c=3), vars(ns)["a"], operator.methodcaller("upper")("s"))
heap = [5, 1, 4]
heapq.heapify(heap)
heapq.heappush(heap, 0)
print([heapq.heappop(heap) for _ in range(4)], heapq.nlargest(2, [3, 9, 1]), heapq.nsmallest(2, [3, 9, 1], key=lambda v: -v))
a = [1, 3, 5]
bisect.insort(a, 4)
print(a, bisect.bisect_left(a, 3), bisect.bisect(a, 3), bisect.bisect_right(a, 9))
print(string.ascii_lowercase[:3], string.digits, string.Template("$a ${b} $$").substitute(a=1, b=2), textwrap.dedent("  x\n    y\n"), textwrap.indent("a\nb", "> "))
print(isinstance(lambda: 0, types.FunctionType), isinstance(Double().forward, types.MethodType), isinstance(types, types.ModuleType), isinstance((i for i in []), types.GeneratorType), isinstance(len, types.BuiltinFunctionType))
obj = Double()
obj.forward = types.MethodType(lambda self, x: (self.size, x), obj)
print(obj(5), operator.eq(1, 1), operator.contains([1], 1), operator.getitem({"k": 1}, "k"), operator.truth([]), operator.not_(0))
