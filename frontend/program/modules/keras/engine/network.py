"""keras.engine.network"""

from keras._model import Model as Network
