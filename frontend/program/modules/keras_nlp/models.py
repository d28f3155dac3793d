"""keras_nlp.models."""

from keras_hub import models as _made


def __getattr__(name):
    return getattr(_made, name)
