from .._layers import GroupNorm, LayerNorm, LocalResponseNorm, RMSNorm
