"""flax.linen.normalization."""

from flax.linen._layers import (BatchNorm, LayerNorm, RMSNorm, GroupNorm, InstanceNorm,
                                SpectralNorm, WeightNorm)
