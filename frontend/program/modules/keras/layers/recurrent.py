"""keras.layers.recurrent of older versions."""

from keras.layers._rnn import *
from keras.layers._cells import *
