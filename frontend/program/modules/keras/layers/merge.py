"""keras.layers.merge of older versions."""

from keras.layers._merge import *
