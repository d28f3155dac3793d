"""haiku._src.batch_norm."""

from haiku._layers import BatchNorm
