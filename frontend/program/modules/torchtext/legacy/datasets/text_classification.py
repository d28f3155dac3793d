"""torchtext.legacy.datasets.text_classification."""

from torchtext.datasets import *
