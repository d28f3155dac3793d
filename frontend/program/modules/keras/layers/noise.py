"""keras.layers.noise of older versions."""

from keras.layers._noise import *
