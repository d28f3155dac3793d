"""Kernels of one's own are not read."""

import _tilewise as _t
from jax import _tree
from jax import _core as _c


class BlockSpec:
    def __init__(self, *args, **kw):
        pass


class GridSpec(BlockSpec):
    pass


def pallas_call(kernel, out_shape=None, *args, **kw):
    def call(*inputs):
        _t.note("a Pallas kernel is not read: its result has a shape and no arithmetic")
        return _tree.map(lambda s: _c.full(0, s.shape, s.dtype), out_shape)
    return call


def cdiv(a, b):
    return -(-a // b)
