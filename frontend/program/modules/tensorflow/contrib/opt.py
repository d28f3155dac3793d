"""tf.contrib.opt."""

from tensorflow.contrib import _python as python
from tensorflow._tf1.optimizers import AdaMaxOptimizer, AdamWOptimizer, LARSOptimizer
from tensorflow._tf1.optimizers import LazyAdamOptimizer, MomentumWOptimizer
from tensorflow._tf1.optimizers import MovingAverageOptimizer, NadamOptimizer
from tensorflow._tf1.optimizers import extend_with_decoupled_weight_decay
from tensorflow._tf1.optimizers import AdafactorOptimizer


class ScipyOptimizerInterface:
    def __init__(self, loss, *args, **kw):
        pass

    def minimize(self, *args, **kw):
        return None
