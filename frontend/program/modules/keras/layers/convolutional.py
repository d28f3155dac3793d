"""keras.layers.convolutional of older versions."""

from keras.layers._conv import *
from keras.layers._shape import *
