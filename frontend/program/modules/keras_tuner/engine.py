"""Paths within keras_tuner that programs of its first versions import."""

import keras_tuner as hyperparameters
import keras_tuner as hypermodel
import keras_tuner as tuner
import keras_tuner as base_tuner
from keras_tuner import oracles as oracle
