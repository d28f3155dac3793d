"""keras.layers.pooling of older versions."""

from keras.layers._pool import *
