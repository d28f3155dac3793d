"""Numbers and categories before a model: normalisation, vocabularies, one-hot vectors."""

import _tilewise as _t
from keras import _batch
from keras._layer import Layer
from keras._leaf import (Tensor, add, axes_of, binary, broadcast, code_of, compare, dims, div,
                         expand, h_of, mul, op, put, reduce, reshape, sub, taken, unary,
                         wrap)
from keras.layers._core import Leaf


def encoded(h, depth, mode, to):
    """Categories as the mode wants them; `depth` says how many there are."""
    if mode == "int":
        return h
    depth = taken(depth, "the number of categories")
    h = put(h, "s32")
    hot = op("tw.one_hot", [h], {"depth": int(depth), "axis": -1, "dtype": to})
    rank = len(dims(hot))
    if mode == "one_hot":
        shape = dims(hot)
        return reshape(hot, shape[:-2] + shape[-1:]) if rank > 2 and shape[-2] == 1 else hot
    if rank < 3:
        return hot
    return reduce("sum" if mode == "count" else "max", hot, rank - 2)


class _Preprocessing(Leaf):
    """Integers are taken as they come."""
    autocast = False

    def __init__(self, name=None, dtype=None, **kwargs):
        Layer.__init__(self, name=name, dtype=dtype if isinstance(dtype, str) and dtype[:3]
                       not in ("int", "str", "uin") else None, **kwargs)

    def adapt(self, data, batch_size=None, steps=None):
        _batch.used(data, "looked")

    update_state = adapt

    def finalize_state(self):
        pass

    reset_state = finalize_state

    def _code(self):
        return code_of(self.compute_dtype)

    def _from(self, inputs):
        return inputs._h if isinstance(inputs, Tensor) else h_of(inputs)


class Normalization(_Preprocessing):
    def __init__(self, axis=-1, mean=None, variance=None, invert=False, **kwargs):
        _Preprocessing.__init__(self, **kwargs)
        self.axis = axis
        self.input_mean, self.input_variance, self.invert = mean, variance, invert
        self.adapt_mean = self.count = None

    def build(self, input_shape):
        shape = list(input_shape)
        axes = [] if self.axis is None else axes_of(self.axis, len(shape))
        own = [shape[a] for a in axes]
        self._wide = [shape[a] if a in axes else 1 for a in range(len(shape))]
        if self.input_mean is None:
            self.adapt_mean = self.add_weight(name="mean", shape=own, trainable=False)
            self.adapt_variance = self.add_weight(name="variance", shape=own, trainable=False)
            self.count = self.add_weight(name="count", shape=(), dtype="int", trainable=False)
        self.built = True

    @property
    def mean(self):
        return self.adapt_mean if self.input_mean is None else self.input_mean

    @property
    def variance(self):
        return self.adapt_variance if self.input_mean is None else self.input_variance

    def adapt(self, data, batch_size=None, steps=None):
        _batch.used(data, "looked")
        if self.built:
            return
        element = getattr(data, "element", data)
        shape = getattr(element, "shape", None)
        if shape is not None and not _t.is_unknown(shape):
            self.build(tuple(shape))

    def _number(self, value, d):
        if isinstance(value, Tensor):
            h = put(value._h, d)
        else:
            h = put(h_of(value), d)
        shape = dims(h)
        if shape and len(shape) < len(self._wide):
            return reshape(h, self._wide)
        return h

    def call(self, inputs):
        d = self._code()
        h = put(self._from(inputs), d)
        mean, deviation = self._number(self.mean, d), unary("sqrt", self._number(self.variance, d))
        deviation = binary("maximum", deviation, 1e-7)
        if self.invert:
            return wrap(add(mean, mul(h, deviation)))
        return wrap(div(sub(h, mean), deviation))


class Rescaling(_Preprocessing):
    def __init__(self, scale, offset=0.0, **kwargs):
        _Preprocessing.__init__(self, **kwargs)
        self.scale, self.offset, self.supports_masking = scale, offset, True

    def _value(self, value, d):
        if isinstance(value, (int, float)):
            return h_of(float(value), d)
        return put(h_of(value), d)

    def call(self, inputs):
        d = self._code()
        h = op("tw.binary", [put(self._from(inputs), d), self._value(self.scale, d)],
               {"kind": "multiply"})
        if isinstance(self.offset, (int, float)) and not self.offset:
            return wrap(h)
        return wrap(add(h, self._value(self.offset, d)))


class CategoryEncoding(_Preprocessing):
    def __init__(self, num_tokens=None, output_mode="multi_hot", sparse=False, max_tokens=None,
                 **kwargs):
        _Preprocessing.__init__(self, **kwargs)
        self.num_tokens = max_tokens if num_tokens is None else num_tokens
        self.output_mode = "multi_hot" if output_mode == "binary" else output_mode

    def call(self, inputs, count_weights=None):
        return wrap(encoded(self._from(inputs), self.num_tokens, self.output_mode, self._code()))


class Discretization(_Preprocessing):
    def __init__(self, bin_boundaries=None, num_bins=None, epsilon=0.01, output_mode="int",
                 sparse=False, bins=None, **kwargs):
        _Preprocessing.__init__(self, **kwargs)
        if isinstance(bin_boundaries, int):
            bin_boundaries, num_bins = None, bin_boundaries
        self.bin_boundaries = bins if bin_boundaries is None else bin_boundaries
        self.num_bins = len(self.bin_boundaries) + 1 if self.bin_boundaries is not None \
            else num_bins
        self.epsilon, self.output_mode = epsilon, output_mode

    def call(self, inputs):
        h = put(self._from(inputs), "f32")
        n = self.num_bins - 1
        if self.bin_boundaries is not None:
            bounds = h_of([float(b) for b in self.bin_boundaries])
        else:
            bounds = _t.full(0, [n], "f32")
        passed = compare("GE", expand(h, -1), bounds)
        bins = reduce("sum", put(passed, "s32"), -1)
        return wrap(encoded(bins, self.num_bins, self.output_mode, self._code()))


class Hashing(_Preprocessing):
    def __init__(self, num_bins, mask_value=None, salt=None, output_mode="int", sparse=False,
                 **kwargs):
        _Preprocessing.__init__(self, **kwargs)
        self.num_bins, self.mask_value, self.salt = num_bins, mask_value, salt
        self.output_mode = output_mode

    def call(self, inputs):
        h = binary("floor_modulo", put(self._from(inputs), "s32"), int(self.num_bins))
        return wrap(encoded(h, self.num_bins, self.output_mode, self._code()))


class HashedCrossing(Hashing):
    def __init__(self, num_bins, output_mode="int", sparse=False, **kwargs):
        Hashing.__init__(self, num_bins, output_mode=output_mode, **kwargs)

    def call(self, inputs):
        hs = [put(self._from(x), "s32") for x in inputs]
        h = hs[0]
        for other in hs[1:]:
            h = add(h, other)
        return Hashing.call(self, wrap(h))


def _distinct(data):
    """The different texts or numbers of data that are known, or None."""
    if isinstance(data, Tensor):
        data = data._values if getattr(data, "_strings", None) else _t.numbers(data._h)
    if hasattr(data, "tolist") and not _t.is_unknown(data):
        data = data.tolist()
    if not isinstance(data, (list, tuple)) or _t.open_reason(data) is not None:
        return None
    found = {}
    stack = list(data)
    while stack:
        item = stack.pop()
        if _t.is_unknown(item):
            return None
        if isinstance(item, (list, tuple)):
            stack.extend(item)
        elif isinstance(item, (str, bytes, int, float)):
            found[item] = True
        else:
            return None
    return list(found)


def _unread(values):
    """Whether a list is empty as files that are not here were to fill it."""
    import io
    return len(values) == 0 and io.absent


class _Lookup(_Preprocessing):
    """Tokens as places in a vocabulary."""

    def _begin(self, max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, invert,
               output_mode, pad_to_max_tokens, kwargs):
        _Preprocessing.__init__(self, **kwargs)
        self.max_tokens, self.num_oov_indices = max_tokens, num_oov_indices
        self.mask_token, self.oov_token, self.invert = mask_token, oov_token, invert
        self.output_mode = "multi_hot" if output_mode == "binary" else output_mode
        self.pad_to_max_tokens = pad_to_max_tokens
        self._tokens = None
        if vocabulary is not None:
            self.set_vocabulary(vocabulary)

    def set_vocabulary(self, vocabulary, idf_weights=None):
        if isinstance(vocabulary, str):
            from _python import read_file
            text = read_file(vocabulary)
            vocabulary = _t.unknown("the vocabulary in " + vocabulary) if text is None \
                else text.splitlines()
        if not _t.is_unknown(vocabulary):
            found = _distinct(vocabulary)
            vocabulary = vocabulary if found is None else found[::-1]
            if isinstance(vocabulary, (list, tuple)) and (found is None or _unread(vocabulary)):
                why = _t.open_reason(vocabulary)
                vocabulary = _t.unknown("the vocabulary of layer " + str(self.name) +
                                        ("" if why is None else ": " + why))
            if isinstance(vocabulary, list):
                vocabulary = [v for v in vocabulary if v != self.oov_token
                              and (v != self.mask_token or self.mask_token is None)]
        self._tokens = vocabulary

    def adapt(self, data, batch_size=None, steps=None):
        _batch.used(data, "looked")
        found = _distinct(data)
        if found is not None:
            self._tokens = found[::-1]
            if self.max_tokens is not None:
                self._tokens = self._tokens[:self.max_tokens - self._special()]

    def _special(self):
        return self.num_oov_indices + (0 if self.mask_token is None else 1)

    def vocabulary_size(self):
        if _t.is_unknown(self._tokens) and self.max_tokens is None:
            return self._tokens
        if isinstance(self._tokens, list) and not self.pad_to_max_tokens:
            return len(self._tokens) + self._special()
        if self.max_tokens is not None:
            if not getattr(self, "_said", False):
                self._said = True
                _t.note("the vocabulary of layer " + str(self.name)
                        + " is learned from data; it is taken as full")
            return self.max_tokens
        return _t.unknown("the size of the vocabulary that layer " + str(self.name)
                          + " learns from data")

    vocab_size = vocabulary_size

    def get_vocabulary(self, include_special_tokens=True):
        special = ([] if self.mask_token is None else [self.mask_token]) \
            + [self.oov_token] * self.num_oov_indices
        if self._tokens is not None and isinstance(self._tokens, list):
            return special + self._tokens if include_special_tokens else list(self._tokens)
        n = self.vocabulary_size()
        if _t.is_unknown(n):
            return n
        rest = [""] * (n - len(special))
        return special + rest if include_special_tokens else rest

    def call(self, inputs):
        h = put(self._from(inputs), "s64")
        if self.invert:
            return wrap(h)
        mode = self.output_mode
        if mode == "int":
            return wrap(h)
        return wrap(encoded(h, self.vocabulary_size(), "count" if mode == "tf_idf" else mode,
                            self._code()))


class StringLookup(_Lookup):
    def __init__(self, max_tokens=None, num_oov_indices=1, mask_token=None, oov_token="[UNK]",
                 vocabulary=None, idf_weights=None, invert=False, output_mode="int",
                 pad_to_max_tokens=False, sparse=False, encoding="utf-8", **kwargs):
        self._begin(max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, invert,
                    output_mode, pad_to_max_tokens, kwargs)


class IntegerLookup(_Lookup):
    def __init__(self, max_tokens=None, num_oov_indices=1, mask_token=None, oov_token=-1,
                 vocabulary=None, vocabulary_dtype="int64", idf_weights=None, invert=False,
                 output_mode="int", pad_to_max_tokens=False, sparse=False, max_values=None,
                 **kwargs):
        self._begin(max_tokens if max_values is None else max_values, num_oov_indices,
                    mask_token, oov_token, vocabulary, invert, output_mode, pad_to_max_tokens,
                    kwargs)


class TextVectorization(_Lookup):
    def __init__(self, max_tokens=None, standardize="lower_and_strip_punctuation",
                 split="whitespace", ngrams=None, output_mode="int", output_sequence_length=None,
                 pad_to_max_tokens=False, vocabulary=None, idf_weights=None, sparse=False,
                 ragged=False, encoding="utf-8", **kwargs):
        special = output_mode == "int"
        self._begin(max_tokens, 1, "" if special else None, "[UNK]", vocabulary, False,
                    output_mode, pad_to_max_tokens, kwargs)
        self.standardize, self.split, self.ngrams = standardize, split, ngrams
        self.output_sequence_length = output_sequence_length

    def adapt(self, data, batch_size=None, steps=None):
        """What words are in texts is not followed."""
        _batch.used(data, "looked")

    def call(self, inputs):
        h = put(self._from(inputs), "s64")
        shape = dims(h)
        if len(shape) > 1 and shape[-1] == 1:
            shape = shape[:-1]
            h = reshape(h, shape)
        if self.output_mode == "int":
            n = self.output_sequence_length
            if _t.is_unknown(n):
                return n
            if n is None:
                n = _open(self)
            return wrap(broadcast(expand(h, -1), shape + (n,)))
        depth = self.vocabulary_size()
        depth = taken(depth, "the number of words")
        return wrap(broadcast(expand(put(h, self._code()), -1), shape + (depth,)))


def _open(layer):
    if getattr(layer, "_length", None) is None:
        layer._length = _t.open_dim()
    return layer._length
