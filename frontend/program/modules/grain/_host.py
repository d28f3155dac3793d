"""Examples as Python and NumPy hold them on the host, and batches of them."""

import _tilewise

_unk = _tilewise.is_unknown


def batched(x, *sizes):
    """`sizes` examples like `x`, as arrays whose dims before `x` count examples."""
    if _unk(x) or x is None:
        return x
    if isinstance(x, dict):
        return {k: batched(v, *sizes) for k, v in x.items()}
    if isinstance(x, tuple):
        parts = [batched(v, *sizes) for v in x]
        return type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    import numpy
    if isinstance(x, (str, bytes)):
        return [x] * sizes[-1]
    if isinstance(x, list) and x and isinstance(x[0], (str, bytes, dict)):
        return [x] * sizes[-1]
    if isinstance(x, (bool, int, float, list)) or hasattr(x, "channels"):
        x = numpy.array(x)
    if not hasattr(x, "shape") or not hasattr(x, "dtype"):
        return [x] * sizes[-1]
    if not isinstance(x, numpy.ndarray):
        x = numpy.asarray(x)
        if _unk(x):
            return x
    made = numpy.ndarray(tuple(sizes) + tuple(x.shape), x.dtype)
    made._batch = len(sizes) - 1
    return made


def unbatched(x):
    """One example of a batch."""
    if _unk(x) or x is None:
        return x
    if isinstance(x, dict):
        return {k: unbatched(v) for k, v in x.items()}
    if isinstance(x, (tuple, list)):
        return type(x)([unbatched(v) for v in x])
    return x[0] if hasattr(x, "shape") and len(x.shape) else x


class Elements:
    """What an iterator of tf.data asks of its data set, of any source of examples."""

    def __init__(self, give, count, items=None, batch_size=None, shuffled=False):
        self.give, self._count, self.items = give, count, items
        self.batch_size, self._shuffled = batch_size, shuffled
        self.made = None  # what its loader was recorded as

    def has_stage(self, kind):
        return self._shuffled


def iterator(elements):
    from tensorflow.data._iterator import OwnedIterator, record, trained

    class Host(OwnedIterator):
        def _give(self):
            record(elements)
            if elements.made is not None and trained()[1] == 0:
                _tilewise.record("loader_batch", made=elements.made)
            return elements.give()

        def get_state(self):
            return {}

        def set_state(self, state):
            pass

    return Host(elements)
