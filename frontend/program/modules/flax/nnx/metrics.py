"""flax.nnx.metrics."""

from jax import _core as _c
from flax.nnx._graph import Module


class Metric(Module):
    def __init__(self, *args, **kw):
        pass

    def reset(self):
        return None

    def update(self, **kw):
        return None

    def compute(self):
        return _c.known(0.0, _c.float32)

    def split(self, *args):
        return None


class Average(Metric):
    def __init__(self, argname="values"):
        self.argname = argname
        self.last = None

    def update(self, **kw):
        v = kw.get(self.argname)
        self.last = _c.reduce("mean", v) if isinstance(v, _c.Array) else v

    def compute(self):
        return self.last if self.last is not None else _c.known(0.0, _c.float32)

    def reset(self):
        self.last = None


class Welford(Average):
    pass


class Accuracy(Average):
    def __init__(self, threshold=None, *args, **kw):
        self.last = None

    def update(self, *, logits=None, labels=None, **kw):
        if logits is None:
            return
        hit = _c.compare("EQ", _c.arg_reduce("max", logits, -1), labels)
        self.last = _c.reduce("mean", _c.convert(hit, _c.float32))


class MultiMetric(Metric):
    def __init__(self, **metrics):
        self.metrics = metrics
        for k in metrics:
            self.__dict__[k] = metrics[k]

    def update(self, **kw):
        for m in self.metrics.values():
            m.update(**kw)

    def compute(self):
        return {k: m.compute() for k, m in self.metrics.items()}

    def reset(self):
        for m in self.metrics.values():
            m.reset()
