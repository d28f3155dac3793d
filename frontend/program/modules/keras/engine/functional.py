"""keras.engine.functional"""

from keras._model import Functional
