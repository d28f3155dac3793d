"""Masks that the kernel computes for itself."""

import _tilewise as _t


class Mask:
    """`causal`: no later key is seen; `window`: keys up to its own that a query sees, 0 for all.

    Both are None of a mask of the program's own.
    """
    causal = window = None

    def __init__(self, shape=None, *args, **kw):
        self.shape = shape

    def __and__(self, other):
        return LogicalAnd(self, other)

    def __or__(self, other):
        return LogicalOr(self, other)

    def __getitem__(self, index):
        return _t.unknown("the elements of a mask")


class _ComputableMask(Mask):
    def __init__(self, shape, offset=0, mask_function=None, shard_count=1, **kw):
        self.shape = shape
        self.offset = offset
        self.mask_function = mask_function


class FullMask(Mask):
    causal, window = False, 0


class CausalMask(_ComputableMask):
    causal, window = True, 0

    def __init__(self, shape, offset=0, shard_count=1, **kw):
        self.shape = shape
        self.offset = offset


class LocalMask(_ComputableMask):
    causal = False

    def __init__(self, shape, window_size=(None, None), offset=0, shard_count=1, **kw):
        self.shape = shape
        self.offset = offset
        left, right = window_size
        self.causal = right == 0
        self.window = 0 if left is None else left + 1


class LogicalAnd(Mask):
    def __init__(self, left, right):
        self.shape = left.shape
        if left.causal is not None and right.causal is not None:
            self.causal = left.causal or right.causal
            windows = [w for w in (left.window, right.window) if w]
            self.window = min(windows) if windows else 0


class LogicalOr(Mask):
    def __init__(self, left, right):
        self.shape = left.shape


class NumpyMask(Mask):
    def __init__(self, array):
        self.array = array
        self.shape = array.shape


class MultiHeadMask(Mask):
    def __init__(self, masks):
        self.masks = list(masks)
        self.shape = (len(self.masks),) + tuple(self.masks[0].shape)
        self.causal, self.window = self.masks[0].causal, self.masks[0].window


def make_causal_mask(shape, offset=0):
    return CausalMask(shape, offset)


def make_local_attention_mask(shape, window_size, *, offset=0):
    return LocalMask(shape, window_size, offset)


def make_random_mask(shape, sparsity, seed):
    return Mask(shape)
