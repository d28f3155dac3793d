"""What one element of a data set is made of: leaves with shapes, in tuples and dictionaries."""

import math
import _tilewise
from tensorflow import _dtypes
from tensorflow._public import state
from tensorflow._shape import TensorShape, made
from tensorflow._strings import outside
from tensorflow._tensor import Tensor, handle, wrap

_unk = _tilewise.is_unknown


class Leaf:
    """One tensor: `shape` has None for open sizes and is None as a whole for an open rank.

    `batch` says how many of its first dims count examples, `ragged` that rows differ in length.
    """

    def __init__(self, shape, dtype, batch=0, ragged=False):
        self.shape = None if shape is None else tuple(shape)
        self.dtype, self.batch, self.ragged = dtype, batch, ragged

    def __repr__(self):
        return "Leaf(" + str(self.shape) + ", " + self.dtype.name + ")"

    def at(self, shape, batch):
        return Leaf(shape, self.dtype, batch, self.ragged)

    @property
    def is_rows(self):
        return self.ragged and self.shape is not None and len(self.shape) > 1


def is_leaf(x):
    """Not so of what is not known."""
    return not _unk(x) and isinstance(x, Leaf)


class Inner:
    """A data set within an element, as window() makes them."""

    def __init__(self, dataset):
        self.dataset = dataset


# ---- structures


def is_named(x):
    return isinstance(x, tuple) and hasattr(x, "_fields")


def mapped(f, s):
    """`s` with `f` of each leaf in its place."""
    if _unk(s):
        return f(s)
    if isinstance(s, dict):
        return {k: mapped(f, v) for k, v in s.items()}
    if is_named(s):
        return type(s)(*[mapped(f, v) for v in s])
    if isinstance(s, tuple) and not isinstance(s, TensorShape):
        return tuple([mapped(f, v) for v in s])
    if s is None:
        return None
    return f(s)


def leaves(s):
    if _unk(s):
        return [s]
    if isinstance(s, dict):
        s = list(s.values())
    elif s is None:
        return []
    elif not isinstance(s, tuple) or isinstance(s, TensorShape):
        return [s]
    result = []
    for v in s:
        result.extend(leaves(v))
    return result


def leaf_of(s):
    """The first leaf that is known, or None."""
    for leaf in leaves(s):
        if is_leaf(leaf):
            return leaf
    return None


def paired(f, s, other):
    """`f` of leaves and what `other`, a structure that may be of fewer levels, has there."""
    if _unk(s) or _unk(other):
        return s if _unk(s) else mapped(lambda leaf: f(leaf, None), s)
    if isinstance(s, dict):
        return {k: paired(f, v, other.get(k) if isinstance(other, dict) else other)
                for k, v in s.items()}
    if isinstance(s, tuple):
        fits = isinstance(other, (tuple, list)) and not isinstance(other, TensorShape) and \
            len(other) == len(s) and (len(s) == 1 or not _is_shape(other))
        parts = [paired(f, v, other[i] if fits else other) for i, v in enumerate(s)]
        return type(s)(*parts) if is_named(s) else tuple(parts)
    return None if s is None else f(s, other)


def _is_shape(x):
    for d in x:
        if d is not None and not isinstance(d, int):
            return False
    return True


# ---- from values to leaves


def of_value(x):
    """The structure of leaves of what a function gave or a program handed over."""
    if _unk(x) or x is None or isinstance(x, (Leaf, Inner)):
        return x
    if isinstance(x, dict):
        for k in x:
            if _unk(k):
                return k
        return {k: of_value(v) for k, v in x.items()}
    if is_named(x):
        return type(x)(*[of_value(v) for v in x])
    if isinstance(x, tuple) and not isinstance(x, TensorShape):
        return tuple([of_value(v) for v in x])
    if isinstance(x, Tensor):
        return _of_tensor(x)
    if hasattr(x, "_leaves"):
        return Inner(x)
    return _of_other(x)


def _of_tensor(x):
    if x._is_variable:
        x = x.value()
    elif type(x) is Tensor and _unk(x._h):
        return x._h
    shape = x.shape
    return Leaf(None if shape.no_rank else [_maybe_open(d) for d in shape.as_list()], x.dtype)


def _maybe_open(size):
    """None of a size that is a little less than an open one: what a slice of it leaves."""
    if size is not None and size > 1000:
        for n in _open.values():
            if n - 64 <= size < n:
                return None
    return size


def _of_other(x):
    if isinstance(x, (str, bytes)):
        return Leaf((), _dtypes.string)
    if isinstance(x, (list, range)):
        return _of_list(x)
    if hasattr(x, "dtype") and hasattr(x, "shape"):
        shape = x.shape
        if _unk(shape):
            return shape
        return Leaf(tuple(shape), _dtypes.as_dtype(x.dtype), 0, hasattr(x, "ragged_rank"))
    h = handle(x)
    return h if _unk(h) else Leaf(_tilewise.open_shape(h), _dtypes.BY_CODE[_tilewise.dtype(h)])


def _of_list(values):
    """A list is one tensor; one whose parts do not fit together is taken as a tuple."""
    shape, part = [], values
    while isinstance(part, (list, tuple, range)):
        shape.append(len(part))
        part = part[0] if len(part) else None
    if isinstance(part, (str, bytes)):
        return Leaf(tuple(shape), _dtypes.string)
    inner = of_value(part) if part is not None else Leaf((), _dtypes.float32)
    if _unk(inner):
        return inner
    if not is_leaf(inner) or inner.shape is None:
        return tuple([of_value(v) for v in values])
    if len(shape) == 1 and len(values) > 1 and isinstance(part, Tensor):
        others = [of_value(v) for v in values]
        for other in others:
            if not is_leaf(other) or other.shape != inner.shape:
                return tuple(others)
    return Leaf(tuple(shape) + inner.shape, inner.dtype)


def of_signature(s):
    """Of TensorSpec and the like, in structures."""
    def leaf(spec):
        if _unk(spec) or isinstance(spec, (Leaf, Inner)):
            return spec
        if hasattr(spec, "_dataset_leaves"):
            return Inner(spec._dataset_leaves())
        dtype = getattr(spec, "dtype", None)
        if dtype is None:
            return _tilewise.unknown("a tensor that its signature does not describe")
        return Leaf(_shape(spec.shape), _dtypes.as_dtype(dtype), 0, _is_ragged(spec))
    return mapped(leaf, s)


def _is_ragged(spec):
    return "Ragged" in type(spec).__name__


def _shape(shape):
    if shape is None or getattr(shape, "no_rank", False) is True:
        return None
    return tuple(TensorShape(shape).as_list())


def of_types(types, shapes):
    def leaf(dtype, shape):
        return Leaf(_shape(shape), _dtypes.as_dtype(dtype))
    return paired(leaf, types, shapes)


# ---- from leaves to stand-ins

_open = {}


def open_dim(place):
    """One open size for each place in a shape: there are not many of them."""
    if place not in _open:
        _open[place] = _tilewise.open_dim()
    return _open[place]


def sizes_of(leaf):
    return [open_dim(i - leaf.batch) if d is None else d for i, d in enumerate(leaf.shape)]


def stand_in(leaf):
    """What a function of the pipeline is called with."""
    if _unk(leaf):
        return leaf
    if isinstance(leaf, Inner):
        return leaf.dataset
    if leaf.is_rows:
        return _rows(leaf, sizes_of(leaf))
    if leaf.shape is None or leaf.dtype.kind == "O":
        return outside(None if leaf.shape is None else sizes_of(leaf), leaf.dtype)
    return wrap(_tilewise.input(sizes_of(leaf), leaf.dtype.code, "", None))


def _rows(leaf, sizes):
    from tensorflow._ragged import RaggedTensor
    return RaggedTensor(sizes[:1], sizes[1], sizes[2:], leaf.dtype)


def stand_ins(s):
    return mapped(stand_in, s)


# ---- elements that leave the pipeline


class Fed(Tensor):
    """Data of the host; NumPy's account of it keeps that its dim `_batch` counts examples."""
    _batch = None

    def numpy(self):
        import numpy
        return numpy.ndarray._of(self)

    _numpy = numpy

    def __array__(self, dtype=None):
        return self.numpy()


def feed(s):
    """Fresh tensors of one element, at a full batch."""
    return mapped(_feed_leaf, s)


def _feed_leaf(leaf):
    if not is_leaf(leaf) or leaf.shape is None:
        return stand_in(leaf)
    sizes = []
    for i, d in enumerate(leaf.shape):
        if d is None and i < leaf.batch:
            _tilewise.note("the batch size of a data set is not known; 32 is taken")
            d = 32
        elif d is None:
            _tilewise.note("size " + str(i) + " of a data set's elements is not known; 128 is "
                           "taken")
            d = 128
        sizes.append(d)
    if leaf.is_rows:
        return _rows(leaf, sizes)
    if leaf.dtype.kind == "O":
        return outside(sizes, leaf.dtype)
    batch_dim = leaf.batch - 1 if leaf.batch > 0 else None
    if batch_dim is not None:
        state.batch = sizes[batch_dim]
    x = Fed.__new__(Fed)
    x._h, x._batch = _tilewise.input(sizes, leaf.dtype.code, "", batch_dim), batch_dim
    return x


def fed_numpy(s):
    """The same as arrays of NumPy."""
    def host(x):
        if isinstance(x, Fed):
            return x.numpy()
        if isinstance(x, Tensor):
            return _tilewise.unknown("texts that a data set holds")
        return x
    return mapped(host, feed(s))


# ---- what stages do to shapes


def add_dim(s, size, batch=1):
    def leaf(x):
        if not is_leaf(x) or x.shape is None:
            return x
        return x.at((size,) + x.shape, x.batch + batch)
    return mapped(leaf, s)


def drop_dim(s):
    def leaf(x):
        if not is_leaf(x) or x.shape is None:
            return x
        if not x.shape:
            return x
        return x.at(x.shape[1:], max(0, x.batch - 1))
    return mapped(leaf, s)


def with_batch_of(s, before):
    """`s` is what a function made of `before`: its leaves that are as many keep counting."""
    first = leaf_of(before)
    if first is None or first.batch == 0 or first.shape is None:
        return s
    lead, batch = first.shape[:first.batch], first.batch
    total = None if None in lead else math.prod(lead)

    def leaf(x):
        if not is_leaf(x) or x.shape is None:
            return x
        if x.shape[:batch] == lead:
            return x.at(x.shape, batch)
        # A batch that is spread over devices, or joined again.
        for n in (2, 1):
            if total and len(x.shape) >= n and None not in x.shape[:n] and \
                    math.prod(x.shape[:n]) == total:
                return x.at(x.shape, n)
        return x
    return mapped(leaf, s)


def spec_of(leaf):
    """As `element_spec` shows it."""
    if _unk(leaf):
        return leaf
    if isinstance(leaf, Inner):
        from tensorflow.data._dataset import DatasetSpec
        return DatasetSpec(leaf.dataset.element_spec, (), leaf.dataset)
    if not is_leaf(leaf):
        return leaf
    from tensorflow import RaggedTensorSpec, TensorSpec
    shape = TensorShape(None) if leaf.shape is None else made(leaf.shape)
    return (RaggedTensorSpec if leaf.is_rows else TensorSpec)(shape, leaf.dtype)


def merged(a, b):
    """Of elements that come from either of two data sets: sizes that differ are open."""
    if _unk(a) or _unk(b):
        return b if _unk(a) else a
    if isinstance(a, dict) and isinstance(b, dict):
        return {k: merged(v, b[k]) if k in b else v for k, v in a.items()}
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        parts = [merged(x, y) for x, y in zip(a, b)]
        return type(a)(*parts) if is_named(a) else tuple(parts)
    if not is_leaf(a) or not is_leaf(b) or a.shape is None or b.shape is None:
        return a
    if len(a.shape) != len(b.shape):
        return a.at(None, 0)
    return a.at([m if m == n else None for m, n in zip(a.shape, b.shape)], a.batch)
