"""keras.layers.embeddings of older versions."""

from keras.layers._core import *
