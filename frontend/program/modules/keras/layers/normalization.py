"""keras.layers.normalization of older versions."""

from keras.layers._norm import *
