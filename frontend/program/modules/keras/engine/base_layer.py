"""keras.engine.base_layer"""

from keras._info import InputSpec
from keras._layer import Layer
