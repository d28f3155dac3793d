"""haiku._src.conv."""

from haiku._layers import (ConvND, Conv1D, Conv2D, Conv3D, ConvNDTranspose, Conv1DTranspose,
                           Conv2DTranspose, Conv3DTranspose, DepthwiseConv2D)
