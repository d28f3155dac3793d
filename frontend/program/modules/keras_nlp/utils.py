"""keras_nlp.utils."""

from keras_hub import utils as _made


def __getattr__(name):
    return getattr(_made, name)
