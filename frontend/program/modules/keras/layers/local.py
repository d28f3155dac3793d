"""keras.layers.local of older versions."""

from keras.layers._local import *
