"""torch.nn."""

from . import functional, init, parameter, _module, utils, parallel
from .parameter import Buffer, Parameter, UninitializedParameter
from ._module import (
    Identity, Module, ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential)
from ._layers import *
from ._recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNBase, RNNCell, RNNCellBase
from ._transformer import (
    MultiheadAttention, Transformer, TransformerDecoder, TransformerDecoderLayer,
    TransformerEncoder, TransformerEncoderLayer)
from .parallel import DataParallel
from . import modules, quantized
