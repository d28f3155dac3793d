"""haiku._src.reshape."""

from haiku._layers import Flatten, Reshape
