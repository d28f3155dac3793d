"""torchtext.legacy.datasets."""

from torchtext.datasets import *
