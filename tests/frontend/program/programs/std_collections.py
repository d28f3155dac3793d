from collections import ChainMap, Counter, OrderedDict, UserDict, defaultdict, deque
import collections
import collections.abc
from collections.abc import Callable, Iterable, Mapping, Sequence

d = defaultdict(list)
for k, v in [("a", 1), ("b", 2), ("a", 3)]:
    d[k].append(v)
print(d, dict(d), d["zz"], sorted(d), d.get("q"), len(d))
n = defaultdict(lambda: defaultdict(int))
n["x"]["y"] += 2
print(n["x"]["y"], {k: dict(v) for k, v in n.items()}, defaultdict(int, a=1)["b"], isinstance(d, dict))
o = OrderedDict([("conv", 1), ("bn", 2)])
o["relu"] = 3
o.move_to_end("conv")
print(o, list(o), o.popitem(), o.popitem(last=False), o, list(o.items()), OrderedDict(a=1) == {"a": 1})
o.update(q=1)
o.move_to_end("q", last=False)
print(list(o), OrderedDict([("a", 1), ("b", 2)]) == OrderedDict([("b", 2), ("a", 1)]), next(iter(o)), list(reversed(o)))
c = Counter("mississippi")
print(c, c.most_common(2), c["z"], sum(c.values()), c + Counter("ms"), c - Counter("iiii"), sorted(c.elements())[:3])
c.update(["m", "q"])
c["new"] += 1
print(c["m"], c["new"], Counter(a=2, b=1), Counter({"x": 3}), c.total(), Counter("ab") & Counter("bc"), Counter("ab") | Counter("bc"))
q = deque([1, 2, 3], maxlen=3)
q.append(4)
q.appendleft(0)
print(q, len(q), q[0], q[-1], list(q), 2 in q, q.popleft(), q.pop(), q, bool(deque()), q.maxlen)
q.extend([7, 8, 9])
q.rotate(1)
print(q, sum(q) / len(q), deque("abc"), [x for x in reversed(q)], deque([1]) == deque([1]))
m = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(m["a"], m["b"], "c" in m, dict(m), m.get("z", 0), len(m), sorted(m))
m["n"] = 5
print(m.maps[0], m.new_child({"a": 0})["a"], m.parents["a"])


class Lower(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)


u = Lower({"A": 1})
u["B"] = 2
print(u, u["a"], "b" in u, len(u), list(u.items()), u.get("z", 9), dict(u), u.data)
print(isinstance([], Iterable), isinstance(5, Iterable), isinstance("s", Sequence), isinstance({}, Mapping), isinstance([], Mapping), isinstance(len, Callable), isinstance((), collections.abc.Sequence))


class Mine:
    def __iter__(self):
        return iter([1])


print(isinstance(Mine(), Iterable), issubclass(dict, Mapping), isinstance((i for i in []), Iterable), isinstance(OrderedDict(), collections.abc.MutableMapping))


class Tree(Mapping):
    def __init__(self, **kw):
        self.kw = kw

    def __getitem__(self, k):
        return self.kw[k]

    def __iter__(self):
        return iter(self.kw)

    def __len__(self):
        return len(self.kw)


t = Tree(a=1, b=2)
print(dict(t), {**t}, t.get("z"), "a" in t, list(t.keys()), list(t.items()), isinstance(t, Mapping), t == {"a": 1, "b": 2}, (lambda **k: k)(**t))
