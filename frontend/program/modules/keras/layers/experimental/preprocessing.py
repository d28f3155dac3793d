"""keras.layers.experimental.preprocessing of Keras 2."""


class PreprocessingLayer:
    pass


def __getattr__(name):
    import keras.layers
    return getattr(keras.layers, name)
