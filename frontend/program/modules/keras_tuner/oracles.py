"""keras_tuner.oracles."""

from keras_tuner._search import _Oracle as Oracle

BayesianOptimization = BayesianOptimizationOracle = RandomSearch = RandomSearchOracle = Oracle
Hyperband = HyperbandOracle = GridSearch = GridSearchOracle = Oracle
