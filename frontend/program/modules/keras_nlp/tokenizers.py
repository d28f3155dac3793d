"""keras_nlp.tokenizers."""

from keras_hub import tokenizers as _made


def __getattr__(name):
    return getattr(_made, name)
