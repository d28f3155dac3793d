"""haiku._src.depthwise_conv."""

from haiku._layers import DepthwiseConv2D
