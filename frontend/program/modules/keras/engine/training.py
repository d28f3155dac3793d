"""keras.engine.training"""

from keras._model import Model
