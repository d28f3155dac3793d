"""torchtext: fields, vocabularies, iterators and public data sets, of its releases old and new."""

from . import data, datasets, legacy, utils, vocab
from .vocab import Vocab

__version__ = "0.16.0"


def disable_torchtext_deprecation_warning():
    pass
