"""torchtext.legacy.datasets.trec."""

from torchtext.datasets import *
