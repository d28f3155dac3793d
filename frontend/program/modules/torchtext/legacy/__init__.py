"""torchtext.legacy: the fields and iterators of old releases."""

from torchtext import datasets, vocab
from torchtext import data
