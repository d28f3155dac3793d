"""Dataset: a chain of stages on the host, known by the shapes of its elements."""

import _python
import _tilewise
from tensorflow._public import state
from tensorflow.data import _count, _element
from tensorflow.data._count import INFINITE, UNKNOWN, given, number
from tensorflow.data._element import Inner, Leaf, is_leaf, add_dim, drop_dim, mapped
from tensorflow.data._function import applied
from tensorflow.data._options import Options

_unk = _tilewise.is_unknown
_LONGEST = 1000


class _Length(int):
    """What __len__() gives to those who call it themselves."""

    def numpy(self):
        return int(self)


class Dataset:
    """`stages` has (kind, name, place, facts); `items` counts the examples of one pass.

    Each data set keeps its own stage and the one it was made of. All are recorded, and
    `_python` reads of them which chains are pipelines of the program.
    """
    _own = ()
    _before = None
    _depth = 0
    _own_options = None

    def __init__(self, variant_tensor=None):
        self._become(_tilewise.unknown("the elements of a data set that the program defines"))

    def _become(self, leaves, count=None, items=None, own=(), before=None):
        self._leaves, self._count, self.items = leaves, count, items
        self._own, self._before = own, before
        return self

    @classmethod
    def _made(cls, leaves, count, items, kind, name, inputs=(), **facts):
        """A source."""
        facts["leaves"] = leaves
        stage = (kind, name, _python.place(), facts)
        made = Dataset.__new__(Dataset)._become(leaves, count, items, (stage,))
        for other in inputs:
            made._own = made._own + tuple(other._stages[1:])
        _tilewise.record("chain", made=made, of=list(inputs), inner=state.host)
        return made

    def _then(self, kind, name, leaves, count, items, inputs=(), **facts):
        """One stage more."""
        facts["leaves"] = leaves
        if self._depth > _LONGEST:
            raise RuntimeError("a data set of more than " + str(_LONGEST) + " stages")
        stage = (kind, name, _python.place(), facts)
        made = Dataset.__new__(Dataset)._become(leaves, count, items, (stage,), self)
        made._depth = self._depth + 1
        made._own_options = self._own_options
        _tilewise.record("chain", made=made, of=[self] + list(inputs), inner=state.host)
        return made

    def _used(self, how, **facts):
        """`how`: train, evaluate, taken (one element), distribute, per_replica."""
        if not state.host:
            _tilewise.record("use", dataset=self, how=how, **facts)

    # ---- what others ask of it

    @property
    def _stages(self):
        parts, at = [], self
        while at is not None:
            parts.append(at._own)
            at = at._before
        return tuple([stage for own in reversed(parts) for stage in own])

    @property
    def stages(self):
        return list(self._stages)

    @property
    def element(self):
        """One element of stand-ins."""
        if "_element" not in self.__dict__:
            self._element = _element.stand_ins(self._leaves)
        return self._element

    @property
    def element_spec(self):
        return mapped(_element.spec_of, self._leaves)

    @property
    def batch_size(self):
        """Examples in an element; None where there are no batches or their size is not known."""
        leaf = self._batch_leaf()
        if leaf is None:
            return None
        size = 1
        for d in leaf.shape[:leaf.batch]:
            if d is None:
                return None
            size *= d
        return size

    @property
    def batch_levels(self):
        leaf = self._batch_leaf()
        return 0 if leaf is None else leaf.batch

    def _batch_leaf(self):
        for leaf in _element.leaves(self._leaves):
            if is_leaf(leaf) and leaf.shape is not None and leaf.batch > 0:
                return leaf
        return None

    def feed(self):
        """Fresh inputs of one element."""
        return _element.feed(self._leaves)

    def fact(self, kind, name, otherwise=None):
        """Of the last stage of that kind."""
        for stage in reversed(self._stages):
            if stage[0] == kind and name in stage[3]:
                return None if _unk(stage[3][name]) else stage[3][name]
        return otherwise

    def has_stage(self, kind):
        for stage in self._stages:
            if stage[0] == kind:
                return True
        return False

    def cardinality(self, name=None):
        if self._count is None:
            return _tilewise.unknown("how many elements the data set has")
        from tensorflow._tensor import wrap
        return wrap(_tilewise.known(self._count, "s64"))

    def __len__(self):
        if self._count == INFINITE:
            raise TypeError("The dataset is infinite.")
        if self._count == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        if self._count is None:
            return _tilewise.unknown("how many elements the data set has")
        return _Length(self._count)

    def __bool__(self):
        return True

    __nonzero__ = __bool__

    def __repr__(self):
        return "<_Dataset element_spec=" + str(self.element_spec) + ">"

    def __iter__(self):
        from tensorflow.data._iterator import OwnedIterator
        return OwnedIterator(self)

    def __tilewise_open__(self):
        return None if self._count in (0, 1) else "the elements of a data set"

    def as_numpy_iterator(self, name=None):
        from tensorflow.data._iterator import NumpyIterator
        return NumpyIterator(self)

    def get_single_element(self, name=None):
        return self.feed()

    def options(self):
        return self._own_options or Options()

    def with_options(self, options, name=None):
        made = self._same("with_options", "with_options", options=options)
        made._own_options = self.options().merge(options)
        return made

    def _same(self, kind, name, **facts):
        return self._then(kind, name, self._leaves, self._count, self.items, **facts)

    # ---- functions of elements

    def map(self, map_func, num_parallel_calls=None, deterministic=None, synchronous=None,
            use_unbounded_threadpool=False, name=None):
        leaves = applied(map_func, self._leaves, "map")
        return self._then("map", "map", leaves, self._count, self.items,
                          function=map_func, num_parallel_calls=num_parallel_calls,
                          deterministic=deterministic)

    def map_with_legacy_function(self, map_func, num_parallel_calls=None, deterministic=None):
        return self.map(map_func, num_parallel_calls, deterministic)

    def _fewer(self, kind, name, **facts):
        count = UNKNOWN if self._count != 0 else 0
        return self._then(kind, name, self._leaves, count, None, **facts)

    def filter(self, predicate, name=None):
        return self._fewer("filter", "filter", function=predicate)

    def filter_with_legacy_function(self, predicate):
        return self.filter(predicate)

    def take_while(self, predicate, name=None):
        return self._fewer("other", "take_while", function=predicate)

    def unique(self, name=None):
        return self._fewer("other", "unique")

    def ignore_errors(self, log_warning=False, name=None):
        return self._fewer("other", "ignore_errors")

    def _inner(self, map_func, what):
        from tensorflow.data._function import inner_of
        return inner_of(map_func, self._leaves, what)

    def flat_map(self, map_func, name=None):
        leaves, source = self._inner(map_func, "flat_map")
        return self._then("flat_map", "flat_map", leaves, UNKNOWN, None,
                          function=map_func, inner=source)

    def interleave(self, map_func, cycle_length=None, block_length=None, num_parallel_calls=None,
                   deterministic=None, name=None):
        leaves, source = self._inner(map_func, "interleave")
        return self._then("interleave", "interleave", leaves, UNKNOWN, None,
                          function=map_func, amount=given(cycle_length),
                          num_parallel_calls=num_parallel_calls, deterministic=deterministic,
                          inner=source)

    def scan(self, initial_state, scan_func, name=None):
        from tensorflow.data._function import scanned
        return self._then("other", "scan", scanned(scan_func, initial_state, self._leaves),
                          self._count, self.items)

    def reduce(self, initial_state, reduce_func, name=None):
        from tensorflow.data._function import reduced
        return reduced(reduce_func, initial_state, self)

    def apply(self, transformation_func):
        return transformation_func(self)

    # ---- batches

    def batch(self, batch_size, drop_remainder=False, num_parallel_calls=None, deterministic=None,
              name=None):
        return self._batched("batch", "batch", batch_size, drop_remainder,
                             num_parallel_calls=num_parallel_calls, deterministic=deterministic)

    def _batched(self, kind, name, batch_size, drop, leaves=None, **facts):
        size = number(batch_size)
        leaves = add_dim(self._leaves if leaves is None else leaves, size)
        count = _count.batched(self._count, size, drop is True)
        return self._then(kind, name, leaves, count, self.items, amount=given(batch_size),
                          batch_size=size, drop_remainder=drop, **facts)

    def padded_batch(self, batch_size, padded_shapes=None, padding_values=None,
                     drop_remainder=False, name=None):
        leaves = _element.paired(_padded, self._leaves, padded_shapes)
        return self._batched("padded_batch", "padded_batch", batch_size, drop_remainder, leaves)

    def ragged_batch(self, batch_size, drop_remainder=False, row_splits_dtype=None, name=None):
        leaves = mapped(_uneven, self._leaves)
        return self._batched("batch", "ragged_batch", batch_size, drop_remainder, leaves)

    def sparse_batch(self, batch_size, row_shape, name=None):
        leaves = _element.paired(_padded, self._leaves, row_shape)
        return self._batched("batch", "sparse_batch", batch_size, False, leaves)

    def unbatch(self, name=None):
        count = self._count if self._count in (0, INFINITE) else UNKNOWN
        size = self.batch_size
        if _count.fixed(self._count) and size is not None and self.batch_levels == 1:
            count = self.items if self.items is not None else count
        return self._then("unbatch", "unbatch", drop_dim(self._leaves), count, self.items)

    def rebatch(self, batch_size, drop_remainder=False, name=None):
        size = None if isinstance(batch_size, (list, tuple)) else number(batch_size)
        leaves = add_dim(drop_dim(self._leaves), size)
        count = _count.batched(self.items, size, drop_remainder is True)
        if self._count in (INFINITE, UNKNOWN):
            count = self._count
        return self._then("other", "rebatch", leaves, count, self.items, batch_size=size,
                          drop_remainder=drop_remainder)

    def bucket_by_sequence_length(self, element_length_func, bucket_boundaries,
                                  bucket_batch_sizes, padded_shapes=None, padding_values=None,
                                  pad_to_bucket_boundary=False, no_padding=False,
                                  drop_remainder=False, name=None):
        sizes = [number(n) for n in bucket_batch_sizes]
        size = sizes[0] if len(set(sizes)) == 1 else None
        leaves = self._leaves
        if padded_shapes is not None:
            leaves = _element.paired(_padded, leaves, padded_shapes)
        return self._then("padded_batch", "bucket_by_sequence_length", add_dim(leaves, size),
                          UNKNOWN, self.items, amount=size, batch_size=size,
                          batch_sizes=sizes, boundaries=bucket_boundaries,
                          drop_remainder=drop_remainder)

    def group_by_window(self, key_func, reduce_func, window_size=None, window_size_func=None,
                        name=None):
        size = number(window_size)
        window = Dataset.__new__(Dataset)._become(self._leaves, size, size, (), self)
        key = _element.stand_in(Leaf((), _long()))
        from tensorflow.data._function import given as made_by
        leaves, _ = made_by(lambda: reduce_func(key, window), "group_by_window")
        return self._then("other", "group_by_window", leaves, UNKNOWN, self.items)

    def window(self, size, shift=None, stride=1, drop_remainder=False, name=None):
        size = number(size)
        shift = size if shift is None else number(shift)

        def inner(leaf):
            if _unk(leaf):
                return leaf
            return Inner(Dataset.__new__(Dataset)._become(leaf, size, size, (), self))
        count = self._count
        if _count.fixed(count):
            span = None if size is None or number(stride) is None else (size - 1) * stride + 1
            if shift is None or span is None:
                count = None
            elif drop_remainder is True:
                count = max(0, (count - span) // shift + 1)
            else:
                count = -(-count // shift)
        return self._then("other", "window", mapped(inner, self._leaves), count, count,
                          amount=size, shift=shift, stride=stride, drop_remainder=drop_remainder)

    # ---- order and number

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=None, name=None):
        return self._same("shuffle", "shuffle", amount=given(buffer_size), seed=seed,
                          reshuffle_each_iteration=reshuffle_each_iteration)

    def repeat(self, count=None, name=None):
        n = -1 if count is None else number(count)
        return self._then("repeat", "repeat", self._leaves, _count.repeated(self._count, n),
                          self.items, amount=given(count))

    def cache(self, filename="", name=None):
        return self._same("cache", "cache", filename=filename)

    def prefetch(self, buffer_size, name=None):
        return self._same("prefetch", "prefetch", amount=given(buffer_size))

    def _cut(self, kind, change, asked):
        """take and skip count elements, which may be batches."""
        count = number(asked)
        n = change(self._count, count)
        per = self.batch_size if self.batch_levels else 1
        items = None
        if self._count == INFINITE and self.items is not None:
            items = self.items
        elif _count.fixed(self.items) and per is not None and count is not None:
            items = change(self.items, count * per if count >= 0 else count)
        elif kind == "take" and self.items is None and _count.fixed(count) and per is not None:
            items = count * per
        return self._then(kind, kind, self._leaves, n, items, amount=given(asked))

    def take(self, count, name=None):
        return self._cut("take", _count.taken, count)

    def skip(self, count, name=None):
        return self._cut("skip", _count.skipped, count)

    def shard(self, num_shards, index, name=None):
        shards, index = number(num_shards), number(index)
        asked = given(num_shards)
        return self._then("shard", "shard", self._leaves,
                          _count.sharded(self._count, shards, index),
                          _count.sharded(self.items, shards, index), amount=asked)

    def enumerate(self, start=0, name=None):
        leaves = (Leaf((), _long()), self._leaves)
        return self._then("enumerate", "enumerate", leaves, self._count, self.items)

    def concatenate(self, dataset, name=None):
        leaves = _element.merged(self._leaves, dataset._leaves)
        return self._then("other", "concatenate", leaves,
                          _count.joined(self._count, dataset._count),
                          _count.joined(self.items, dataset.items), inputs=[dataset])

    def rejection_resample(self, class_func, target_dist, initial_dist=None, seed=None, name=None):
        leaves = (Leaf((), _long(32)), self._leaves)
        return self._then("other", "rejection_resample", leaves, UNKNOWN, None, seed=seed)

    def snapshot(self, path, compression="AUTO", reader_func=None, shard_func=None, name=None):
        return self._same("other", "snapshot", path=path)

    def assert_cardinality(self, expected_cardinality, name=None):
        n = number(expected_cardinality)
        per = self.batch_size if self.batch_levels else 1
        items = self.items
        if items is None and _count.fixed(n) and per is not None:
            items = n * per
        return self._then("other", "assert_cardinality", self._leaves, n, items, amount=n)

    def save(self, path, compression=None, shard_func=None, checkpoint_args=None):
        return None

    def prefetch_to_device(self, device, buffer_size=None):
        return self._same("prefetch", "prefetch_to_device", amount=given(buffer_size))

    # ---- TensorFlow 1

    def make_one_shot_iterator(self):
        from tensorflow.data._iterator import Iterator
        return Iterator(self)

    def make_initializable_iterator(self, shared_name=None):
        from tensorflow.data._iterator import Iterator
        return Iterator(self)

    @property
    def output_types(self):
        return mapped(lambda leaf: leaf.dtype if is_leaf(leaf) else leaf, self._leaves)

    @property
    def output_shapes(self):
        return mapped(lambda spec: getattr(spec, "shape", spec), self.element_spec)

    @property
    def output_classes(self):
        from tensorflow._tensor import Tensor
        return mapped(lambda leaf: Tensor, self._leaves)


def _with_makers(cls):
    from tensorflow.data._sources import MAKERS
    for made in MAKERS:
        setattr(cls, made.__name__, staticmethod(made))


_with_makers(Dataset)


def _long(bits=64):
    from tensorflow import _dtypes
    return _dtypes.int64 if bits == 64 else _dtypes.int32


def _padded(leaf, shape):
    """What padding makes of the open sizes of a leaf; a size of its own pads to that."""
    if not is_leaf(leaf):
        return leaf
    want = _element._shape(shape)
    if want is None:
        want = leaf.shape
    if leaf.shape is not None and len(want) != len(leaf.shape):
        return leaf
    return Leaf(want, leaf.dtype, leaf.batch)


def _uneven(leaf):
    if is_leaf(leaf) and leaf.shape is not None and None in leaf.shape:
        return Leaf(leaf.shape, leaf.dtype, leaf.batch, True)
    return leaf


class DatasetSpec:
    def __init__(self, element_spec, dataset_shape=(), dataset=None):
        self.element_spec, self._dataset = element_spec, dataset

    def _dataset_leaves(self):
        if self._dataset is not None:
            return self._dataset
        leaves = _element.of_signature(self.element_spec)
        return Dataset.__new__(Dataset)._become(leaves, UNKNOWN)

    @staticmethod
    def from_value(value):
        return DatasetSpec(value.element_spec, (), value)
