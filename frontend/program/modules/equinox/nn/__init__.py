"""equinox.nn: layers of one example each."""

from ._conv import (
    AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveMaxPool2d, AvgPool1d, AvgPool2d, AvgPool3d,
    Conv, Conv1d, Conv2d, Conv3d, ConvTranspose, ConvTranspose1d, ConvTranspose2d,
    ConvTranspose3d, MaxPool1d, MaxPool2d, MaxPool3d)
from ._layers import (
    MLP, Dropout, Embedding, GRUCell, Identity, Lambda, Linear, LSTMCell, MultiheadAttention,
    PReLU, RotaryPositionalEmbedding, Sequential, Shared, WeightNorm)
from ._norm import (
    BatchNorm, GroupNorm, LayerNorm, RMSNorm, SpectralNorm, State, StateIndex,
    delete_init_state, make_with_state)
from .._filters import tree_inference as inference_mode
