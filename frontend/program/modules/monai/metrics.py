"""Metrics are numbers of the host that nobody knows."""

import _tilewise


class _Metric:
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        return _tilewise.unknown("a metric")

    def aggregate(self, *args, **kwargs):
        return _tilewise.unknown("a metric")

    def reset(self):
        pass

    get_buffer = aggregate


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Metric if name[:1].isupper() else lambda *args, **kwargs: _tilewise.unknown("a metric")
