"""keras_tuner.tuners."""

from keras_tuner._search import (BayesianOptimization, GridSearch, Hyperband, RandomSearch,
                                 SklearnTuner)

Sklearn = SklearnTuner
