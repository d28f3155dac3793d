import inspect
from functools import partial, wraps


def f(a, b=2, *args, c, d=4, **kw):
    pass


sig = inspect.signature(f)
print(list(sig.parameters), [p.name for p in sig.parameters.values() if p.default is inspect.Parameter.empty], sig.parameters["b"].default, "d" in sig.parameters)
print([str(p.kind) == "KEYWORD_ONLY" or p.kind == inspect.Parameter.KEYWORD_ONLY for p in sig.parameters.values()], sig.parameters["kw"].kind == inspect.Parameter.VAR_KEYWORD, sig)


class Model:
    def __init__(self, width, depth=3, **extra):
        self.width, self.depth = width, depth

    def forward(self, x, mask=None):
        return x

    @classmethod
    def build(cls, *, n):
        return cls(n)

    @staticmethod
    def helper(q):
        return q


print(list(inspect.signature(Model).parameters), list(inspect.signature(Model.__init__).parameters), list(inspect.signature(Model(1).forward).parameters), list(inspect.signature(Model.forward).parameters), list(inspect.signature(Model.build).parameters), list(inspect.signature(Model.helper).parameters))
options = {"width": 5, "depth": 6, "unused": 7}
accepted = {k: v for k, v in options.items() if k in inspect.signature(Model.__init__).parameters}
print(accepted, Model(**accepted).depth)
bound = sig.bind(1, 5, 6, c=7, z=8)
bound.apply_defaults()
print(dict(bound.arguments), bound.args, bound.kwargs)
print(inspect.isclass(Model), inspect.isfunction(f), inspect.ismethod(Model(1).forward), inspect.isfunction(Model.forward), inspect.isclass(f), inspect.isfunction(len), inspect.isbuiltin(len), inspect.isgeneratorfunction(f))
spec = inspect.getfullargspec(f)
print(spec.args, spec.varargs, spec.varkw, spec.defaults, spec.kwonlyargs, spec.kwonlydefaults)
print([n for n, m in inspect.getmembers(Model, inspect.isfunction) if not n.startswith("__")], list(inspect.signature(partial(f, 1, c=2)).parameters))


def deco(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs)
    return inner


@deco
def wrapped(x, y=1):
    return x


print(list(inspect.signature(wrapped).parameters), inspect.signature(lambda: 0).parameters == {} or len(inspect.signature(lambda: 0).parameters) == 0)
try:
    sig.bind(1)
except TypeError:
    print("cannot bind")


def ann(x: int, y: "str" = "a") -> float:
    """Doc."""


s = inspect.signature(ann)
print(s.parameters["x"].annotation is int, s.parameters["y"].annotation, s.return_annotation is float, inspect.getdoc(ann), inspect.isroutine(ann))
