"""torchmetrics: numbers that a run gives; they are no part of the step."""

import _tilewise
from torch.nn import Module, ModuleDict


class Metric(Module):
    higher_is_better = True

    def __init__(self, *args, **kwargs):
        Module.__init__(self)

    def __class_getitem__(cls, item):
        return cls

    def add_state(self, name, default=None, dist_reduce_fx=None, persistent=False):
        self.__dict__[name] = default

    def __call__(self, *args, **kwargs):
        return _tilewise.unknown("a metric of training")

    forward = compute = __call__

    def update(self, *args, **kwargs):
        pass

    def reset(self):
        pass

    def clone(self, prefix=None, postfix=None):
        return self

    def __getattr__(self, name):
        try:
            return Module.__getattr__(self, name)
        except AttributeError:
            if name[:2] == "__":
                raise
            return _tilewise.unknown("a value of a metric")


class MetricCollection(Metric):
    def __init__(self, metrics=None, *more, prefix=None, postfix=None, **options):
        Metric.__init__(self)
        self.__dict__["_all"] = metrics if isinstance(metrics, dict) else {}

    def __getitem__(self, name):
        return Metric()

    def items(self):
        return list(self._all.items())

    def keys(self):
        return list(self._all)

    def values(self):
        return list(self._all.values())


class MetricTracker(Metric):
    def increment(self):
        pass


_kinds = {}


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    if name not in _kinds:
        _kinds[name] = type(name, (Metric,), {})
    return _kinds[name]
