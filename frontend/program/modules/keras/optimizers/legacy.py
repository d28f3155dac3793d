"""keras.optimizers.legacy: the same optimizers."""

from keras.optimizers._kinds import (Adadelta, Adafactor, Adagrad, Adam, Adamax, AdamW, Ftrl, Lion,
                                     LossScaleOptimizer, Nadam, RMSprop, SGD)
from keras.optimizers._optimizer import Optimizer
