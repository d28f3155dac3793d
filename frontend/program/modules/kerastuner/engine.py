"""The first name of keras_tuner.engine."""

from keras_tuner.engine import *
