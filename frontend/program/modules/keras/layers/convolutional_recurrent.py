"""keras.layers.convolutional_recurrent of older versions."""

from keras.layers._convlstm import *
