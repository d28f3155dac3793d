"""flax.linen.recurrent."""

from flax.linen._layers import (RNNCellBase, LSTMCell, OptimizedLSTMCell, GRUCell, MGUCell,
                                SimpleCell, ConvLSTMCell, RNN, Bidirectional)
