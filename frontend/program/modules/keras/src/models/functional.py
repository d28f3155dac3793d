"""keras.src.models.functional"""

from keras._model import Functional
