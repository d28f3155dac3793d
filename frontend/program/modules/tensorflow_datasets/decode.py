"""tfds.decode."""

import functools


class Decoder:
    def setup(self, *, feature):
        self.feature = feature

    def decode_example(self, example):
        return self.feature.decode_example(example)


class SkipDecoding(Decoder):
    """Images stay the bytes of their files."""


class PartialDecoding:
    def __init__(self, features, decoders=None):
        self.features, self.decoders = features, decoders


class _Made(Decoder):
    def __init__(self, function, args, kwargs):
        self.function, self.args, self.kwargs = function, args, kwargs

    def decode_example(self, example):
        return self.function(example, self.feature, *self.args, **self.kwargs)


def make_decoder(output_dtype=None):
    def decorated(function):
        @functools.wraps(function)
        def make(*args, **kwargs):
            return _Made(function, args, kwargs)
        return make
    return decorated


def decoded(features, decoders):
    """The leaves of an example, some of whose features are decoded otherwise."""
    from tensorflow import _dtypes
    from tensorflow.data._element import Leaf
    from tensorflow.data._function import applied
    if isinstance(decoders, PartialDecoding):
        return _partly(features, decoders)
    if isinstance(decoders, Decoder):
        stored = Leaf((), _dtypes.string) if features._stored else features.leaves()
        if isinstance(decoders, SkipDecoding):
            return stored
        decoders.setup(feature=features)
        return applied(decoders.decode_example, stored, "a decoder")
    if isinstance(decoders, dict) and hasattr(features, "keys"):
        return {k: decoded(v, decoders[k]) if k in decoders else v.leaves()
                for k, v in features.items()}
    return features.leaves()


def _partly(features, partial):
    if not hasattr(features, "keys"):
        return features.leaves()
    decoders = partial.decoders or {}
    return {k: decoded(features[k], decoders.get(k)) for k in _wanted(features, partial)}


def _wanted(features, partial):
    wanted = partial.features
    if not isinstance(wanted, (dict, list, tuple, set)):
        return list(features.keys())
    keys = [k for k in wanted if not isinstance(wanted, dict) or wanted[k]]
    return [k for k in features.keys() if k in keys]


def stored(features, decoders):
    """The leaves of an example in its file, and what makes those of `decoded` of them."""
    calls = []
    return _as_stored(features, decoders, calls), tuple(calls)


def _as_stored(feature, decoders, calls):
    from tensorflow import _dtypes
    from tensorflow.data._element import Leaf
    if isinstance(decoders, Decoder):
        return decoded(feature, decoders)
    if hasattr(feature, "keys"):
        partial = isinstance(decoders, PartialDecoding)
        keys = _wanted(feature, decoders) if partial else feature.keys()
        own = decoders.decoders if partial else decoders
        own = own if isinstance(own, dict) else {}
        return {k: _as_stored(feature[k], own.get(k), calls) for k in keys}
    if not feature._stored:
        return feature.leaves()
    calls.append(feature._decoding)
    return Leaf((), _dtypes.string)


def pixel_bytes(feature):
    """What the encoded parts of an example decode to; None: not known, or there are none."""
    if hasattr(feature, "keys"):
        parts = [pixel_bytes(part) for part in feature.values() if _holds_encoded(part)]
        return sum(parts) if parts and None not in parts else None
    if not getattr(feature, "_stored", False) or None in feature.shape:
        return None
    size = feature.dtype.size
    for dim in feature.shape:
        size *= dim
    return size


def _holds_encoded(feature):
    if hasattr(feature, "keys"):
        return any([_holds_encoded(part) for part in feature.values()])
    return feature._stored
