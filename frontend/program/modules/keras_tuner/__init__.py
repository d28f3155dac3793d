"""Keras Tuner: of the models that a search tries, the one with the values taken first is read."""

from keras_tuner._search import (BaseTuner, BayesianOptimization, GridSearch, Hyperband, Objective,
                                 RandomSearch, SklearnTuner, Tuner)
from keras_tuner._values import HyperModel, HyperParameters

HyperParameter = HyperParameters
__version__ = "1.4.7"


def __getattr__(name):
    import importlib
    if name in ("tuners", "oracles", "engine", "applications"):
        return importlib.import_module("keras_tuner." + name)
    raise AttributeError(name)
