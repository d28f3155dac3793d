"""keras_nlp.layers."""

from keras_hub import layers as _made


def __getattr__(name):
    return getattr(_made, name)
