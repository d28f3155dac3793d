"""keras_nlp.metrics."""

from keras_hub import metrics as _made


def __getattr__(name):
    return getattr(_made, name)
