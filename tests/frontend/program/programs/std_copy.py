import copy


class Node:
    def __init__(self, value, kids=()):
        self.value = value
        self.kids = list(kids)
        self.meta = {"tags": ["a"]}


leaf = Node(1)
root = Node(0, [leaf, leaf])
shallow, deep = copy.copy(root), copy.deepcopy(root)
leaf.value = 99
root.meta["tags"].append("b")
print(shallow.kids[0].value, deep.kids[0].value, deep.kids[0] is deep.kids[1], shallow.kids is root.kids, deep.meta, shallow.meta)
a = [1, [2, 3], {"k": (4, [5])}]
b, c = copy.copy(a), copy.deepcopy(a)
a[1].append(9)
a[2]["k"][1].append(6)
print(b, c, type(c[2]["k"]).__name__)
loop = [1]
loop.append(loop)
d = copy.deepcopy(loop)
print(d[1] is d, d is not loop)


class Custom:
    def __init__(self, n):
        self.n = n
        self.cache = object()

    def __deepcopy__(self, memo):
        made = type(self)(self.n + 1)
        memo[id(self)] = made
        return made

    def __copy__(self):
        return Custom(-self.n)


x = Custom(5)
print(copy.deepcopy([x, x])[0].n, copy.copy(x).n, (lambda p: p[0] is p[1])(copy.deepcopy([x, x])))


class Config(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.frozen = False


cfg = Config(a=[1])
cfg.frozen = True
other = copy.deepcopy(cfg)
other["a"].append(2)
print(cfg, other, other.frozen, type(other).__name__)


def clones(module, n):
    return [copy.deepcopy(module) for _ in range(n)]


layers = clones(Node(7), 3)
layers[0].value = 8
print([n.value for n in layers], copy.deepcopy(len) is len, copy.deepcopy(Node) is Node, copy.deepcopy("s"), copy.deepcopy(None), copy.copy((1, 2)), copy.deepcopy({1, 2}) == {1, 2})
f = lambda: 3
print(copy.deepcopy(f) is f, copy.deepcopy({"f": f})["f"]())


class Linked:
    def __init__(self):
        self.me = self
        self.bound = self.hello

    def hello(self):
        return id(self)


one = Linked()
two = copy.deepcopy(one)
print(two.me is two, two.bound() == id(two), one.bound() == id(one))
t = ([1], 2)
u = copy.deepcopy(t)
u[0].append(5)
print(t, u, copy.deepcopy((1, "a")) == (1, "a"))
