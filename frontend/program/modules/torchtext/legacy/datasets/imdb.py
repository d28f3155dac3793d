"""torchtext.legacy.datasets.imdb."""

from torchtext.datasets import *
