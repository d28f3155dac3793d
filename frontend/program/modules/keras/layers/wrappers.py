"""keras.layers.wrappers of older versions."""

from keras.layers._wrap import *
