"""haiku._src.nets.mlp."""

from haiku._layers import MLP
