"""tf.contrib.learn."""

from tensorflow.contrib import _python as python
from tensorflow._tf1.estimators import Estimator, ModeKeys, RunConfig
from tensorflow._tf1.graph import Quiet


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


def __getattr__(name):
    if name == "datasets":
        return Quiet()
    raise AttributeError(name)
