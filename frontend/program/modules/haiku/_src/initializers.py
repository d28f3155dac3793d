"""haiku._src.initializers."""

from haiku.initializers import *
