"""torchtext.legacy.datasets.sequence_tagging."""

from torchtext.datasets import *
