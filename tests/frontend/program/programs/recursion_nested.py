def flatten(x):
    if isinstance(x, (list, tuple)):
        return [leaf for item in x for leaf in flatten(item)]
    if isinstance(x, dict):
        return [leaf for k in sorted(x) for leaf in flatten(x[k])]
    return [x]


def tree_map(f, *trees):
    head = trees[0]
    if isinstance(head, dict):
        return {k: tree_map(f, *(t[k] for t in trees)) for k in head}
    if isinstance(head, (list, tuple)):
        return type(head)(tree_map(f, *parts) for parts in zip(*trees))
    return f(*trees)


tree = {"b": [1, (2, 3)], "a": {"x": 4}}
print(flatten(tree), tree_map(lambda v: v * 10, tree), tree_map(lambda a, b: a - b, tree, tree))


def merge(a, b):
    out = dict(a)
    for k, v in b.items():
        out[k] = merge(out[k], v) if isinstance(v, dict) and isinstance(out.get(k), dict) else v
    return out


print(merge({"a": {"x": 1, "y": 2}, "b": 1}, {"a": {"y": 3, "z": 4}, "c": 5}))


def permutations(items):
    if not items:
        yield []
    for i, x in enumerate(items):
        for rest in permutations(items[:i] + items[i + 1:]):
            yield [x] + rest


print(list(permutations([1, 2, 3])))


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


print(depth(200))


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


print(even(50), odd(7))


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


print(gcd(48, 36), gcd(17, 5))


def show(d, indent=0):
    for k, v in d.items():
        if isinstance(v, dict):
            print("  " * indent + k + ":")
            show(v, indent + 1)
        else:
            print("  " * indent + f"{k}: {v}")


show({"model": {"depth": 12, "heads": {"n": 8}}, "lr": 0.001})


def power_set(s):
    if not s:
        return [[]]
    rest = power_set(s[1:])
    return rest + [[s[0]] + r for r in rest]


print(power_set([1, 2, 3]), len(power_set(list(range(6)))))


def ackermann(m, n):
    if m == 0:
        return n + 1
    return ackermann(m - 1, ackermann(m, n - 1) if n else 1)


print(ackermann(2, 3))
try:
    def forever(n):
        return forever(n + 1)
    forever(0)
except RecursionError:
    print("RecursionError")
