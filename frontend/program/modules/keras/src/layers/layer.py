"""keras.src.layers.layer"""

from keras._layer import Layer
