"""tf.contrib.learn."""

import _tilewise as _t
from tensorflow.contrib import _python as python
from tensorflow._tf1.estimators import Estimator, ModeKeys, RunConfig
from tensorflow._tf1.graph import Quiet
from tensorflow._tf1.premade import (DNNClassifier, DNNLinearCombinedClassifier,
                                     DNNLinearCombinedRegressor, DNNRegressor, LinearClassifier,
                                     LinearRegressor)


class Experiment(Quiet):
    """An estimator with its data."""

    def __init__(self, estimator=None, train_input_fn=None, eval_input_fn=None, *args, **kw):
        self.estimator, self.train_input_fn = estimator, train_input_fn

    def train(self, delay_secs=None):
        return self.estimator.train(self.train_input_fn)

    train_and_evaluate = continuous_train_and_eval = train


class learn_runner:
    @staticmethod
    def run(experiment_fn, output_dir=None, schedule=None, run_config=None, hparams=None):
        return experiment_fn(run_config, hparams).train()


class _Sets(Quiet):
    """Data sets that tf.contrib.learn brought."""

    def __getattr__(self, name):
        if name in ("mnist", "input_data"):
            from tensorflow.examples.tutorials.mnist import input_data
            return input_data
        return Quiet.__getattr__(self, name)

    def load_dataset(self, name, *args, **kw):
        if name == "mnist":
            return self.mnist.load_mnist()
        return _t.unknown("data set " + str(name) + " of tf.contrib.learn")


datasets = _Sets()
