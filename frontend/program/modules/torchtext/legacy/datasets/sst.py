"""torchtext.legacy.datasets.sst."""

from torchtext.datasets import *
