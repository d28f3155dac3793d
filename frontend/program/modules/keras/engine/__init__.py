"""keras.engine, as versions before 2.4 have it."""

from keras._input import Input, InputLayer
from keras._info import InputSpec
from keras._layer import Layer
from keras._model import Model
