"""The first name of keras_tuner.oracles."""

from keras_tuner.oracles import *
