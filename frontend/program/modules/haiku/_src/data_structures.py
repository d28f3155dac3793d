"""haiku._src.data_structures."""

from haiku.data_structures import *
