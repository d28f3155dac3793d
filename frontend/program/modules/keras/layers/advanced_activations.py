"""keras.layers.advanced_activations of older versions."""

from keras.layers._activation import *
