"""keras.layers.core of older versions."""

from keras.layers._core import *
from keras.layers._activation import *
from keras.layers._noise import *
from keras.layers._shape import *
