"""clu.metrics."""

import dataclasses
from typing import Any

from jax import _core as _c
from jax import _tree
from flax import struct


class Metric:
    @classmethod
    def from_model_output(cls, *args, **kw):
        return cls()

    @classmethod
    def empty(cls):
        return cls()

    @classmethod
    def from_output(cls, name):
        class Of(cls):
            @classmethod
            def from_model_output(sub, **kw):
                return cls.from_model_output(kw[name])
        return Of

    @classmethod
    def from_fun(cls, fun):
        class Of(cls):
            @classmethod
            def from_model_output(sub, **kw):
                return cls.from_model_output(fun(**kw))
        return Of

    def merge(self, other):
        return self

    def reduce(self):
        return self

    def unreplicate(self):
        return self

    def compute(self):
        return _c.known(0.0, _c.float32)

    def compute_value(self):
        return self

    def replace(self, **kw):
        return self


class Average(Metric):
    def __init__(self, total=None, count=None):
        self.total = total
        self.count = count

    @classmethod
    def from_model_output(cls, values=None, mask=None, **kw):
        return cls(_c.reduce("sum", values) if values is not None else None)

    def compute(self):
        return self.total if self.total is not None else _c.known(0.0, _c.float32)


class LastValue(Average):
    pass


class Std(Average):
    pass


class Accuracy(Average):
    @classmethod
    def from_model_output(cls, logits=None, labels=None, **kw):
        hit = _c.compare("EQ", _c.arg_reduce("max", logits, -1), labels)
        return cls(_c.reduce("sum", _c.convert(hit, _c.float32)))


class CollectingMetric(Metric):
    @classmethod
    def from_outputs(cls, names):
        return cls


class Collection:
    @classmethod
    def create(cls, **metrics):
        class Made(Collection):
            pass
        Made.__annotations__ = dict(metrics)
        return Made

    @classmethod
    def _kinds(cls):
        out = {}
        for base in cls.__mro__[::-1]:
            out.update(base.__dict__.get("__annotations__", {}))
        return {k: v for k, v in out.items() if isinstance(v, type) and issubclass(v, Metric)}

    @classmethod
    def _made(cls, values):
        r = object.__new__(cls)
        for k in values:
            object.__setattr__(r, k, values[k])
        object.__setattr__(r, "_values", values)
        return r

    @classmethod
    def empty(cls):
        return cls._made({k: v.empty() for k, v in cls._kinds().items()})

    @classmethod
    def single_from_model_output(cls, **kw):
        return cls._made({k: v.from_model_output(**kw) for k, v in cls._kinds().items()})

    gather_from_model_output = single_from_model_output

    def merge(self, other):
        return self

    def reduce(self):
        return self

    def unreplicate(self):
        return self

    def compute(self):
        return {k: v.compute() for k, v in self._values.items()}

    def compute_values(self):
        return self.compute()
