"""keras.constraints: what they compute is small, and is no op of the step."""

import _tilewise
from keras._leaf import binary, div, h_of, mul, op, reduce, unary, wrap


class Constraint:
    def __call__(self, w):
        return w

    def get_config(self):
        return {}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class MaxNorm(Constraint):
    def __init__(self, max_value=2, axis=0):
        self.max_value, self.axis = max_value, axis

    def __call__(self, w):
        h = h_of(w)
        norm = unary("sqrt", reduce("sum", unary("square", h), self.axis, True))
        wanted = op("tw.clamp", [norm], {"min": 0.0, "max": float(self.max_value)})
        return wrap(mul(h, div(wanted, binary("add", norm, 1e-7))))

    def get_config(self):
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    def __call__(self, w):
        return wrap(unary("relu", h_of(w)))


class UnitNorm(Constraint):
    def __init__(self, axis=0):
        self.axis = axis

    def __call__(self, w):
        h = h_of(w)
        norm = unary("sqrt", reduce("sum", unary("square", h), self.axis, True))
        return wrap(div(h, binary("add", norm, 1e-7)))

    def get_config(self):
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    def __init__(self, min_value=0.0, max_value=1.0, rate=1.0, axis=0):
        self.min_value, self.max_value = min_value, max_value
        self.rate, self.axis = rate, axis

    def __call__(self, w):
        h = h_of(w)
        norm = unary("sqrt", reduce("sum", unary("square", h), self.axis, True))
        wanted = op("tw.clamp", [norm], {"min": float(self.min_value),
                                         "max": float(self.max_value)})
        return wrap(mul(h, div(wanted, binary("add", norm, 1e-7))))

    def get_config(self):
        return {"min_value": self.min_value, "max_value": self.max_value, "rate": self.rate,
                "axis": self.axis}


class RadialConstraint(Constraint):
    pass


max_norm, non_neg, unit_norm, min_max_norm = MaxNorm, NonNeg, UnitNorm, MinMaxNorm
maxnorm, nonneg, unitnorm, radial_constraint = MaxNorm, NonNeg, UnitNorm, RadialConstraint
_OF = {"MaxNorm": MaxNorm, "NonNeg": NonNeg, "UnitNorm": UnitNorm, "MinMaxNorm": MinMaxNorm,
       "max_norm": MaxNorm, "non_neg": NonNeg, "unit_norm": UnitNorm, "min_max_norm": MinMaxNorm,
       "maxnorm": MaxNorm, "nonneg": NonNeg, "unitnorm": UnitNorm,
       "RadialConstraint": RadialConstraint, "radial_constraint": RadialConstraint}


def get(identifier):
    if _tilewise.is_unknown(identifier):
        return None
    if isinstance(identifier, str):
        if identifier not in _OF:
            raise ValueError("Could not interpret constraint identifier: " + identifier)
        return _OF[identifier]()
    if isinstance(identifier, dict):
        return _OF[identifier["class_name"]](**identifier.get("config", {}))
    if isinstance(identifier, type):
        return identifier()
    return identifier


def serialize(constraint):
    if isinstance(constraint, Constraint):
        return {"class_name": type(constraint).__name__, "config": constraint.get_config()}
    return constraint


def deserialize(config, custom_objects=None):
    return get(config)
