"""torchtext.legacy.datasets.nli."""

from torchtext.datasets import *
