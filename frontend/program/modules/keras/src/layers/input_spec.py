"""keras.src.layers.input_spec"""

from keras._info import InputSpec
