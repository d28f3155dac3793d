"""haiku._src.layer_norm."""

from haiku._layers import LayerNorm, InstanceNorm
