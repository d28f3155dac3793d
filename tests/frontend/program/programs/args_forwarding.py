class Block:
    def __init__(self, dim, heads=8, *, ratio=4.0, norm=None, act="gelu", **extra):
        self.args = (dim, heads, ratio, norm, act, sorted(extra.items()))


class Model:
    defaults = {"dim": 64, "depth": 2}

    def __init__(self, block=Block, **kwargs):
        options = {**self.defaults, **kwargs}
        depth = options.pop("depth")
        self.blocks = [block(options.pop("dim") if "dim" in options else 1, ratio=i + 0.5, **options) for i in range(depth)]


def build(variant, pretrained=False, **kwargs):
    assert not pretrained
    return Model(**kwargs)


def vit_tiny(pretrained=False, **kwargs):
    model_args = dict(dim=192, depth=3, heads=3)
    return build("vit_tiny", pretrained=pretrained, **dict(model_args, **kwargs))


for b in vit_tiny(norm="ln", drop=0.1).blocks:
    print(b.args)
print(len(vit_tiny(depth=1).blocks))


def call(fn, /, *args, fn_name="x", **kwargs):
    return fn(*args, **kwargs), fn_name


print(call(lambda fn: fn, fn=3), call(lambda *a: a, 1, 2, fn_name="y"))


def check(**kw):
    kw["new"] = 1
    return kw


original = {"a": 0}
print(check(**original), original)


def star(*args):
    return type(args).__name__, args


print(star(*[]), star(*"ab", *{"k": 1}), star(*(i for i in range(2))))
try:
    check(**{"a": 1}, a=2)
except TypeError:
    print("duplicate keyword")
try:
    Block()
except TypeError:
    print("missing dim")
try:
    build()
except TypeError:
    print("missing variant")
try:
    star(k=1)
except TypeError as e:
    print("unexpected keyword")


def f(a, b, c=3, *, d, e=5):
    return a + b + c + d + e


print(f(1, 2, d=4), f(b=1, a=2, d=3, c=0), f(*[1, 2], **{"d": 0, "e": 0}))
partial_args = (1,)
partial_kw = {"d": 1}
print(f(*partial_args, 2, **partial_kw, e=9), f(1, *[2], 3, d=4))


def defaults(a, b=None, c=(), d={}):
    b = b or []
    b.append(a)
    return b, c, d


print(defaults(1), defaults(2), defaults(3, [0]))
filtered = {k: v for k, v in dict(a=1, b=None, c=0).items() if v is not None}
print(filtered, dict(**filtered, z=2), (lambda a, c, **k: (a, c, k))(**filtered, q=1))


class Call:
    def __call__(self, x, *, scale=1):
        return x * scale


print(Call()(3), Call()(3, scale=4), list(map(Call(), [1, 2])), Call().__call__(5))
