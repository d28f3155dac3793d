"""Metrics are numbers of the host that nobody knows."""

import _tilewise


class Metric:
    def __init__(self, *args, **kwargs):
        pass

    def attach(self, engine, name=None, *args, **kwargs):
        if isinstance(name, str):
            engine.state.metrics[name] = _tilewise.unknown("a metric")

    def compute(self):
        return _tilewise.unknown("a metric")

    def reset(self, *args):
        pass

    update = completed = iteration_completed = reset

    def _of_both(self, other):
        return self

    __add__ = __sub__ = __mul__ = __truediv__ = __pow__ = _of_both
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = _of_both


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name == "gan":
        import _tilewise_nothing
        return _tilewise_nothing.module("ignite.metrics.gan")
    return Metric
