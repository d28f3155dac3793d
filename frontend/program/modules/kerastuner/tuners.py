"""The first name of keras_tuner.tuners."""

from keras_tuner.tuners import BayesianOptimization, GridSearch, Hyperband, RandomSearch, Sklearn
