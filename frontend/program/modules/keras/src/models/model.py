"""keras.src.models.model"""

from keras._model import Model
