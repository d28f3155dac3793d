"""torchtext.legacy.datasets.translation."""

from torchtext.datasets import *
