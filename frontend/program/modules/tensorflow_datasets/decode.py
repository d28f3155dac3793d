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
    wanted = partial.features
    if not isinstance(wanted, (dict, list, tuple, set)) or not hasattr(features, "keys"):
        return features.leaves()
    decoders = partial.decoders or {}
    keys = [k for k in wanted if not isinstance(wanted, dict) or wanted[k]]
    return {k: decoded(features[k], decoders.get(k)) for k in features.keys() if k in keys}
