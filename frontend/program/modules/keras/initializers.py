"""keras.initializers. What numbers a weight starts with does not matter to its cost."""

import _tilewise
from keras._leaf import code_of, full, op, random, sizes, wrap
from keras._leaf import h_of, put, reshape


class Initializer:
    def __init__(self, *args, **kwargs):
        self._args, self._kwargs = args, kwargs
        for name in kwargs:
            setattr(self, name, kwargs[name])

    def __call__(self, shape, dtype=None, **kwargs):
        return wrap(random("uniform", sizes(shape), code_of(dtype)))

    def get_config(self):
        return dict(self._kwargs)

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def clone(self):
        return self


class _Constant(Initializer):
    _value = 0.0

    def __call__(self, shape, dtype=None, **kwargs):
        return wrap(full(self._value, sizes(shape), code_of(dtype)))


class Zeros(_Constant):
    pass


class Ones(_Constant):
    _value = 1.0


class Constant(_Constant):
    def __init__(self, value=0.0):
        Initializer.__init__(self, value=value)

    def __call__(self, shape, dtype=None, **kwargs):
        value, shape = self.value, sizes(shape)
        if isinstance(value, (int, float)):
            return wrap(full(value, shape, code_of(dtype)))
        return wrap(reshape(put(h_of(value), code_of(dtype)), shape))


class _Normal(Initializer):
    def __call__(self, shape, dtype=None, **kwargs):
        return wrap(random("normal", sizes(shape), code_of(dtype)))


class RandomNormal(_Normal):
    def __init__(self, mean=0.0, stddev=0.05, seed=None):
        Initializer.__init__(self, mean=mean, stddev=stddev, seed=seed)


class TruncatedNormal(RandomNormal):
    pass


class RandomUniform(Initializer):
    def __init__(self, minval=-0.05, maxval=0.05, seed=None):
        Initializer.__init__(self, minval=minval, maxval=maxval, seed=seed)


class VarianceScaling(Initializer):
    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None):
        Initializer.__init__(self, scale=scale, mode=mode, distribution=distribution, seed=seed)


class _Scaled(VarianceScaling):
    def __init__(self, seed=None):
        Initializer.__init__(self, seed=seed)


class GlorotUniform(_Scaled):
    pass


class GlorotNormal(_Scaled):
    pass


class LecunNormal(_Scaled):
    pass


class LecunUniform(_Scaled):
    pass


class HeNormal(_Scaled):
    pass


class HeUniform(_Scaled):
    pass


class Orthogonal(Initializer):
    def __init__(self, gain=1.0, seed=None):
        Initializer.__init__(self, gain=gain, seed=seed)


class Identity(Initializer):
    def __init__(self, gain=1.0):
        Initializer.__init__(self, gain=gain)

    def __call__(self, shape, dtype=None, **kwargs):
        rows, columns = sizes(shape)
        return wrap(op("tw.eye", [], {"rows": rows, "columns": columns,
                                      "dtype": code_of(dtype)}))


class STFT(Initializer):
    def __init__(self, side="real", window="hann", scaling="density", periodic=False):
        Initializer.__init__(self, side=side, window=window, scaling=scaling, periodic=periodic)


OrthogonalInitializer, IdentityInitializer, STFTInitializer = Orthogonal, Identity, STFT
zeros, ones, constant, orthogonal, identity = Zeros, Ones, Constant, Orthogonal, Identity
random_normal, random_uniform, truncated_normal = RandomNormal, RandomUniform, TruncatedNormal
glorot_normal, glorot_uniform = GlorotNormal, GlorotUniform
he_normal, he_uniform, lecun_normal, lecun_uniform = HeNormal, HeUniform, LecunNormal, LecunUniform
variance_scaling, normal, uniform = VarianceScaling, RandomNormal, RandomUniform
zero, one = Zeros, Ones
_OF = {}
_MADE = {}  # by name: they have no state


def _table():
    if not _OF:
        for name, value in list(globals().items()):
            if isinstance(value, type) and issubclass(value, Initializer):
                _OF[name] = value
    return _OF


def get(identifier):
    if _tilewise.is_unknown(identifier):
        return None
    if identifier is None or isinstance(identifier, Initializer):
        return identifier
    if isinstance(identifier, str):
        found = _MADE.get(identifier)
        if found is not None:
            return found
        found = _table().get(identifier)
        if found is None:
            from keras.saving import get_custom_objects
            found = get_custom_objects().get(identifier)
        if found is None:
            raise ValueError("Could not interpret initializer identifier: " + identifier)
        found = _MADE[identifier] = found() if isinstance(found, type) else found
        return found
    if isinstance(identifier, dict):
        kind = get_class(identifier["class_name"])
        return kind(**identifier.get("config", {}))
    if isinstance(identifier, type):
        return identifier()
    if callable(identifier):
        return identifier
    return Constant(identifier)


def get_class(name):
    return _table().get(name, Initializer)


def serialize(initializer):
    if isinstance(initializer, Initializer):
        return {"class_name": type(initializer).__name__, "config": initializer.get_config()}
    return initializer


def deserialize(config, custom_objects=None):
    return get(config)
