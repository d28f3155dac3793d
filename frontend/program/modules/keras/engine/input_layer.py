"""keras.engine.input_layer"""

from keras._input import Input, InputLayer
