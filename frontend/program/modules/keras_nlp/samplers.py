"""keras_nlp.samplers."""

from keras_hub import samplers as _made


def __getattr__(name):
    return getattr(_made, name)
