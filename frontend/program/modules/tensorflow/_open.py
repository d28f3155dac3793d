"""Sizes that are not known, where an op says what they must be."""

import _tilewise as _t
from tensorflow._public import state

found = {}  # sizes that stood for what was not known -> what they were found to be


def _cut(h, sizes):
    """The tensor, of which some dims have another size."""
    have = list(_t.shape(h))
    if all([a >= b for a, b in zip(have, sizes)]):
        return _t.op("tw.slice", [h], {"starts": [0] * len(have), "limits": sizes,
                                       "strides": [1] * len(have)})
    return _t.input(sizes, _t.dtype(h), "", None)


def fitted(x, y):
    """Two operands that broadcast: a size that is not known becomes that of the other."""
    if _t.is_unknown(x) or _t.is_unknown(y):
        return [x, y]
    p, q = list(_t.shape(x)), list(_t.shape(y))
    open_p, open_q = _t.open_shape(x), _t.open_shape(y)
    for i in range(1, min(len(p), len(q)) + 1):
        if p[-i] == q[-i] or p[-i] == 1 or q[-i] == 1:
            continue
        if open_p[-i] is None:
            found[p[-i]] = q[-i]
            p[-i] = q[-i]
        elif open_q[-i] is None:
            found[q[-i]] = p[-i]
            q[-i] = p[-i]
    return [h if sizes == list(_t.shape(h)) else _cut(h, sizes) for h, sizes in ((x, p), (y, q))]


def alike(handles, dim=None):
    """Operands of which all sizes but those along `dim` agree: one that is not known follows."""
    shapes = [list(_t.shape(h)) for h in handles]
    rank = len(shapes[0])
    if len(set([len(s) for s in shapes])) > 1 or rank == 0:
        return handles
    kept = None if dim is None else dim % rank
    changed = []
    for i in range(rank):
        sizes = [s[i] for s in shapes]
        if i == kept or len(set(sizes)) == 1:
            continue
        known = [n for n, h in zip(sizes, handles) if _t.open_shape(h)[i] is not None]
        size = known[0] if known else min(sizes)
        for at, h in enumerate(handles):
            if sizes[at] != size and _t.open_shape(h)[i] is None:
                found[sizes[at]] = size
                shapes[at][i] = size
                changed.append(at)
    return [_cut(h, shapes[at]) if at in changed else h for at, h in enumerate(handles)]


def sizes_as_tensor(sizes, code):
    """A shape; it remembers whether its first size counts the examples of the batch."""
    from tensorflow._tensor import wrap
    if not sizes:
        return wrap(_t.full(0, [0], code))
    made = wrap(_t.known(sizes, code))
    if sizes[0] == state.batch:
        made._of_batch = True
    return made


def counts_examples(limit, n):
    """Whether a range to that limit numbers the examples, and so follows the batch as data."""
    return n > 1 and (state.numbers_examples or getattr(limit, "_is_batch", False))


def host_pair(a, b):
    """In a pipeline, which is no part of a step: what is not known is taken as a number."""
    from tensorflow._tensor import Tensor, handle
    known = b if _t.is_unknown(a) else a
    if not isinstance(known, Tensor) or not _t.shape(handle(known)):
        return (a, a) if _t.is_unknown(a) else (b, b)
    h = handle(known)
    _t.note("a number of the pipeline that is not known is taken to leave shapes as they are")
    number = _t.input([], _t.dtype(h), "", None)
    return (number, h) if _t.is_unknown(a) else (h, number)


class Reference:
    """A tensor as a key."""

    def __init__(self, tensor):
        self.tensor = tensor

    def deref(self):
        return self.tensor

    def __hash__(self):
        return id(self.tensor)

    def __eq__(self, other):
        return isinstance(other, Reference) and other.tensor is self.tensor
