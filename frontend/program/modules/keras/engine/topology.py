"""keras.engine.topology"""

from keras._info import InputSpec
from keras._layer import Layer
from keras._input import Input, InputLayer
from keras._model import Model as Container
from keras._model import Model as Network
from keras.utils import get_source_inputs
