"""keras.layers.experimental of Keras 2."""

from keras.layers.experimental import preprocessing


def __getattr__(name):
    import keras.layers
    return getattr(keras.layers, name)
