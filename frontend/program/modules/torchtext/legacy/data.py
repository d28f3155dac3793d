"""torchtext.legacy.data."""

from torchtext.data import *
from torchtext.data import Dataset, Iterator
