"""keras.objectives: losses, as the first versions of Keras name them."""

from keras.losses import *
