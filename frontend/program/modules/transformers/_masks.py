"""Which tokens attend to which: masks of attention."""

import _tilewise
from torch import _tensor as _t


def _all_ones(mask):
    numbers = _tilewise.numbers(mask._h)
    if numbers is None:
        return False
    return all([bool(v) for v in _t._flat(numbers)])


def keys(mask):
    """[batch, 1, 1, tokens] of [batch, tokens]: keys that count. None: all of them."""
    if mask is None or not isinstance(mask, _t.Tensor) or _all_ones(mask):
        return None
    if mask.dim() == 4:
        return mask
    mask = mask.bool()
    if mask.dim() == 3:
        return mask.unsqueeze(1)
    n, t = mask.shape
    return mask.reshape(n, 1, 1, t)


def additive(mask):
    """The same as numbers that are added to scores."""
    m = keys(mask)
    if m is None:
        return None
    if m.dtype is not _t.boolean:
        return m
    return (1.0 - m.float()) * -3.4028234663852886e+38


def causal(mask, n, window=None):
    """(mask or None, is_causal) for n tokens of which each sees those before it."""
    wide = window is None or window >= n
    m = keys(mask)
    if m is not None and m.dim() == 4 and m.shape[2] > 1:
        return m, False
    if m is None and wide:
        return None, True
    i = _t.arange(n)
    row, column = i.reshape(n, 1), i.reshape(1, n)
    seen = column <= row
    if not wide:
        seen = seen & (column > row - window)
    seen = seen.reshape(1, 1, n, n)
    return (seen if m is None else seen & m), False
