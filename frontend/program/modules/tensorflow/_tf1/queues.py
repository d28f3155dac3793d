"""Queues of examples: what is taken from one has the shapes that it was made with."""

import _tilewise as _t
from tensorflow import _dtypes
from tensorflow._tensor import number_of
from tensorflow._tf1.graph import Quiet
from tensorflow.data import _element


def taken_size(size):
    """How many examples are taken at once; the batch of the placeholders where a feed says it."""
    known = number_of(size)
    if known is not None and not _t.is_unknown(known):
        return int(known)
    if getattr(size, "_fed", None) == []:
        from tensorflow._tf1.ops import _open
        size._sizes_batch = True
        return _open()
    return None


def batches(s, size):
    """`s` at `size` examples."""
    made = _element.feed(_element.add_dim(s, size))
    if _t.open_size(size) is not None:
        _t.record("batch", size=size, what="queue")
    return made


class FIFOQueue(Quiet):
    def __init__(self, capacity=None, dtypes=None, shapes=None, names=None, **kw):
        types = list(dtypes) if isinstance(dtypes, (list, tuple)) else [dtypes]
        given = [None] * len(types) if shapes is None else list(shapes)
        if len(types) == 1 and len(given) != 1:
            given = [shapes]
        self.names = names
        self._leaves = tuple(_element.Leaf(_element._shape(s), _dtypes.as_dtype(t))
                             for t, s in zip(types, given))

    def _given(self, made):
        if isinstance(self.names, (list, tuple)):
            return dict(zip(self.names, made))
        return made[0] if len(made) == 1 else made

    def enqueue(self, vals, name=None):
        return self._put(vals, lambda leaf: leaf)

    def enqueue_many(self, vals, name=None):
        return self._put(vals, _element.drop_dim)

    def _put(self, vals, one):
        vals = list(vals.values()) if isinstance(vals, dict) else vals
        vals = list(vals) if isinstance(vals, (list, tuple)) else [vals]
        put = [one(_element.of_value(v)) for v in vals]
        if len(put) == len(self._leaves):
            self._leaves = tuple(p if leaf.shape is None and _element.is_leaf(p) else leaf
                                 for leaf, p in zip(self._leaves, put))

    def dequeue(self, name=None):
        return self._given(_element.feed(self._leaves))

    def dequeue_many(self, n, name=None):
        size = taken_size(n)
        if size is None:
            return _t.unknown("how many examples are taken from a queue")
        return self._given(batches(self._leaves, size))

    dequeue_up_to = dequeue_many


class PaddingFIFOQueue(FIFOQueue):
    pass


class RandomShuffleQueue(FIFOQueue):
    def __init__(self, capacity=None, min_after_dequeue=None, dtypes=None, shapes=None,
                 names=None, **kw):
        super().__init__(capacity, dtypes, shapes, names)


class PriorityQueue(FIFOQueue):
    def __init__(self, capacity=None, types=None, shapes=None, names=None, **kw):
        super().__init__(capacity, [_dtypes.int64] + list(types or []),
                         None if shapes is None else [()] + list(shapes), names)
