add = lambda a, b=1: a + b
print(add(1), add(1, 2), (lambda *a, **k: (a, k))(1, x=2), (lambda: (lambda: 3))()())
ops = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "max": max, "neg": lambda a, _=None: -a}
print({k: f(5, 3) for k, f in ops.items()})
acts = dict(relu=lambda x: max(x, 0), square=lambda x: x * x, ident=lambda x: x)
print([[f(v) for f in acts.values()] for v in (-2, 3)])


def pipeline(*stages):
    def run(value, trace=None):
        for stage in stages:
            value = stage(value)
            if trace is not None:
                trace.append(value)
        return value
    return run


log = []
print(pipeline(lambda x: x + 1, str, len)(99, trace=log), log)


def curry(f, *first, **named):
    return lambda *rest, **more: f(*first, *rest, **{**named, **more})


print(curry(print, "a", sep="-")("b", "c"), curry(pow, 2)(5), curry(int, base=2)("101"))


def exists(v):
    return v is not None


def default(v, d):
    if exists(v):
        return v
    return d() if callable(d) else d


print(default(None, 3), default(0, 3), default(None, lambda: "made"), default(None, list))
pair = lambda t: t if isinstance(t, tuple) else (t, t)
print(pair(3), pair((1, 2)))


def make_divisible(v, divisor=8, min_value=None, round_limit=.9):
    min_value = min_value or divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < round_limit * v:
        new_v += divisor
    return new_v


print([make_divisible(v) for v in (1, 12, 18.4, 33, 100)], make_divisible(10, 4))
print(list(map(lambda p: p[0] * p[1], zip([1, 2], [3, 4]))), list(filter(lambda k: k % 2, range(6))), sorted([3, 1], key=lambda v: -v))
fs = [(lambda k: lambda v: v * k)(k) for k in range(3)]
print([f(10) for f in fs], (lambda x: x if x else "zero")(0), (lambda s: s[::-1])("abc"), [*map(lambda x, y: (x, y), "ab", "cd")])
rates = [x * 0.1 / (4 - 1) for x in range(4)]
print([round(r, 4) for r in rates], [f"{r:.3f}" for r in rates], (lambda: [i for i in range(3)])())
cond = True
print((lambda: "t")() if cond else (lambda: "f")(), [lambda: 1][0]())
y = lambda n: 1 if n < 2 else n * y(n - 1)
print(y(10))
