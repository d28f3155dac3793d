"""Blocks of space in the batch dim."""

import _tilewise
from tensorflow._array import ints
from tensorflow._tensor import handle, wrap

_op = _tilewise.op


def space_to_batch(input, block_shape, paddings, name=None):
    h, block = handle(input), ints(block_shape)
    pads = [ints(p) for p in (paddings if isinstance(paddings, (list, tuple))
                              else _tilewise.numbers(handle(paddings)))]
    n = len(block)
    rest = len(_tilewise.shape(h)) - n - 1
    low = [0] + [p[0] for p in pads] + [0] * rest
    high = [0] + [p[1] for p in pads] + [0] * rest
    if any(low) or any(high):
        h = _op("tw.pad", [h], {"low": low, "high": high, "value": 0})
    sizes = list(_tilewise.shape(h))
    split = [sizes[0]]
    for i, b in enumerate(block):
        split += [sizes[i + 1] // b, b]
    h = _op("tw.reshape", [h], {"shape": split + sizes[n + 1:]})
    order = [2 * i + 2 for i in range(n)] + [0] + [2 * i + 1 for i in range(n)] + \
        list(range(2 * n + 1, 2 * n + 1 + rest))
    h = _op("tw.transpose", [h], {"permutation": order})
    whole = sizes[0]
    for b in block:
        whole *= b
    return wrap(_op("tw.reshape", [h], {
        "shape": [whole] + [sizes[i + 1] // b for i, b in enumerate(block)] + sizes[n + 1:]}))


def batch_to_space(input, block_shape, crops, name=None):
    h, block = handle(input), ints(block_shape)
    sizes = list(_tilewise.shape(h))
    n, batch = len(block), sizes[0]
    for b in block:
        batch //= b
    h = _op("tw.reshape", [h], {"shape": list(block) + [batch] + sizes[1:]})
    order = [n]
    for i in range(n):
        order += [n + 1 + i, i]
    order += list(range(2 * n + 1, n + len(sizes)))
    h = _op("tw.transpose", [h], {"permutation": order})
    wide = [batch] + [sizes[i + 1] * b for i, b in enumerate(block)] + sizes[n + 1:]
    h = _op("tw.reshape", [h], {"shape": wide})
    cuts = [ints(c) for c in crops]
    starts = [0] + [c[0] for c in cuts] + [0] * (len(wide) - n - 1)
    ends = [0] + [c[1] for c in cuts] + [0] * (len(wide) - n - 1)
    return wrap(_op("tw.slice", [h], {"starts": starts,
                                      "limits": [s - e for s, e in zip(wide, ends)]}))


def extract_volume_patches(input, ksizes, strides, padding, name=None):
    h = handle(input)
    sizes = list(_tilewise.shape(h))
    out = [(s - k) // t + 1 for s, k, t in zip(sizes[1:4], ksizes[1:4], strides[1:4])]
    depth = sizes[4] * ksizes[1] * ksizes[2] * ksizes[3]
    return wrap(_tilewise.input([sizes[0]] + out + [depth], _tilewise.dtype(h), "patches", 0))


def open_pad(h, pairs):
    """Padded by what is not known: the rank stays, and sizes that are not padded."""
    from tensorflow._strings import outside
    sizes = [n if pairs and not _tilewise.is_unknown(pairs[i]) and pairs[i] == [0, 0] else None
             for i, n in enumerate(_tilewise.open_shape(h))]
    return outside(sizes, _tilewise.dtype(h), "padded data")
