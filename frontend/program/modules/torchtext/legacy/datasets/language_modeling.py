"""torchtext.legacy.datasets.language_modeling."""

from torchtext.datasets import *
