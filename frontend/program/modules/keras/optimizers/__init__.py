"""keras.optimizers."""

from keras.optimizers._kinds import (Adadelta, Adafactor, Adagrad, Adam, Adamax, AdamW, Ftrl, KINDS,
                                     Lamb, Lion, LossScaleOptimizer, Muon, Nadam, RMSprop, SGD,
                                     get)
from keras.optimizers._optimizer import Optimizer, rate_of, train
from keras.optimizers import schedules
from keras.optimizers.schedules import LearningRateSchedule
from keras.optimizers import legacy, experimental

adam, sgd, rmsprop = Adam, SGD, RMSprop


def serialize(optimizer):
    return {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}


deserialize = get
