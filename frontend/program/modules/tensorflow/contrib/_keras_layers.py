"""keras.layers of a program that builds a graph: an Input of a tensor is that tensor."""

import keras.layers as _layers


def __getattr__(name):
    return getattr(_layers, name)


def Input(shape=None, batch_size=None, name=None, dtype=None, sparse=False, tensor=None, **kw):
    if tensor is not None:
        return tensor
    return _layers.Input(shape=shape, batch_size=batch_size, name=name, dtype=dtype, **kw)
