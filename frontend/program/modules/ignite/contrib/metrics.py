from ignite.metrics import *
from ignite.metrics import Metric


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Metric
