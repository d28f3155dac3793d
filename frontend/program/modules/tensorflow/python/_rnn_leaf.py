"""Stands for the modules of recurrent cells within tensorflow.python."""

from tensorflow._tf1.rnn_cell import (BasicLSTMCell, BasicRNNCell, DeviceWrapper, DropoutWrapper,
                                      GRUCell, LSTMCell, LSTMStateTuple, MultiRNNCell,
                                      ResidualWrapper, RNNCell)
from tensorflow.python import _leaf

LayerRNNCell = RNNCell


def _concat(prefix, suffix, static=False):
    """The sizes of two shapes, one after the other."""
    sizes = []
    for part in (prefix, suffix):
        sizes.extend(part if isinstance(part, (list, tuple)) else
                     part.as_list() if hasattr(part, "as_list") else [part])
    return sizes


def _like_rnncell(cell):
    return hasattr(cell, "output_size") and hasattr(cell, "state_size") and callable(cell)


def assert_like_rnncell(cell_name, cell):
    pass


def __getattr__(name):
    return getattr(_leaf, name)
