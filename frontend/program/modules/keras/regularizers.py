"""keras.regularizers: losses of weights and results, as ops of the step."""

import _tilewise
from keras._leaf import add, div, dims, h_of, matmul, mul, op, reduce, sub, transpose, unary, wrap


class Regularizer:
    def __call__(self, x):
        return 0.0

    def get_config(self):
        return {}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class L1L2(Regularizer):
    def __init__(self, l1=0.0, l2=0.0):
        self.l1, self.l2 = 0.0 if l1 is None else l1, 0.0 if l2 is None else l2

    def __call__(self, x):
        h, total = h_of(x), None
        if self.l1:
            total = mul(reduce("sum", unary("abs", h)), self.l1)
        if self.l2:
            more = mul(reduce("sum", unary("square", h)), self.l2)
            total = more if total is None else add(total, more)
        return 0.0 if total is None else wrap(total)

    def get_config(self):
        return {"l1": self.l1, "l2": self.l2}


class L1(L1L2):
    def __init__(self, l1=0.01, **kwargs):
        L1L2.__init__(self, kwargs.get("l", l1), 0.0)

    def get_config(self):
        return {"l1": self.l1}


class L2(L1L2):
    def __init__(self, l2=0.01, **kwargs):
        L1L2.__init__(self, 0.0, kwargs.get("l", l2))

    def get_config(self):
        return {"l2": self.l2}


class OrthogonalRegularizer(Regularizer):
    def __init__(self, factor=0.01, mode="rows"):
        self.factor, self.mode = factor, mode

    def __call__(self, x):
        h = h_of(x)
        h = op("tw.unit_length", [h], {"dim": 1 if self.mode == "rows" else 0})
        turned = transpose(h, [1, 0])
        product = matmul(h, turned) if self.mode == "rows" else matmul(turned, h)
        n = dims(product)[0]
        away = sub(unary("abs", product), op("tw.eye", [], {"rows": n, "dtype": "f32"}))
        total = div(reduce("sum", unary("abs", away)), 2.0)
        return wrap(mul(total, self.factor / max(n * (n - 1) / 2, 1)))

    def get_config(self):
        return {"factor": self.factor, "mode": self.mode}


def l1_l2(l1=0.01, l2=0.01):
    return L1L2(l1, l2)


l1, l2, orthogonal_regularizer = L1, L2, OrthogonalRegularizer
_OF = {"l1": L1, "l2": L2, "L1": L1, "L2": L2, "l1_l2": l1_l2, "L1L2": L1L2,
       "orthogonal_regularizer": OrthogonalRegularizer,
       "OrthogonalRegularizer": OrthogonalRegularizer}


def get(identifier):
    if _tilewise.is_unknown(identifier):
        return identifier
    if isinstance(identifier, str):
        if identifier not in _OF:
            raise ValueError("Could not interpret regularizer identifier: " + identifier)
        return _OF[identifier]()
    if isinstance(identifier, dict):
        return _OF[identifier["class_name"]](**identifier.get("config", {}))
    if isinstance(identifier, type):
        return identifier()
    return identifier


def serialize(regularizer):
    if isinstance(regularizer, Regularizer):
        return {"class_name": type(regularizer).__name__, "config": regularizer.get_config()}
    return regularizer


def deserialize(config, custom_objects=None):
    return get(config)
