"""The first name of keras_tuner."""

from keras_tuner import *
from keras_tuner import (BayesianOptimization, GridSearch, HyperModel, HyperParameters, Hyperband,
                         Objective, RandomSearch, SklearnTuner, Tuner, oracles, tuners)


def __getattr__(name):
    import keras_tuner
    return getattr(keras_tuner, name)
