"""Metrics: their numbers are known when a program runs only."""

import _tilewise


class EvaluationModule:
    def __init__(self, name=""):
        self.name = name

    def add_batch(self, *args, **kwargs):
        pass

    add = push_to_hub = save = add_batch

    def compute(self, *args, **kwargs):
        return _Results()


class _Results(dict):
    def __missing__(self, name):
        return _tilewise.unknown("a metric")


Metric = EvaluationModule


def load(path, *args, **kwargs):
    return EvaluationModule(path)


def combine(evaluations, **kwargs):
    return EvaluationModule()
