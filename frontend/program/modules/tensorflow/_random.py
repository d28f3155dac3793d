"""Random numbers: seeds are left out, as the device's generator keeps its own state."""

import math as _m
import _tilewise
from tensorflow import _dtypes
from tensorflow._array import ints
from tensorflow._dtypes import FLOATS, code_of
from tensorflow._tensor import binary, convert, handle, number_of, tensor, unary, wrap

_op = _tilewise.op
_unk = _tilewise.is_unknown


def _drawn(kind, shape, code):
    sizes = ints(shape)
    if _unk(sizes):
        return sizes
    return wrap(_op("tw.random", [], {"kind": kind, "shape": sizes, "dtype": code}))


def _scaled(x, scale, offset):
    if number_of(scale) != 1:
        x = binary("multiply", x, scale)
    return x if number_of(offset) == 0 else binary("add", x, offset)


def normal(shape, mean=0.0, stddev=1.0, dtype=_dtypes.float32, seed=None, name=None):
    return _scaled(_drawn("normal", shape, code_of(dtype)), stddev, mean)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=_dtypes.float32, seed=None, name=None):
    # As XLA draws it: uniform numbers through the inverse of the error function.
    u = _drawn("uniform", shape, code_of(dtype))
    if _unk(u):
        return u
    x = unary("erfinv", u * 1.9089994 - 0.9544997) * 1.4142135
    return _scaled(x, stddev, mean)


def uniform(shape, minval=0, maxval=None, dtype=_dtypes.float32, seed=None, name=None):
    code = code_of(dtype)
    if code not in FLOATS:
        bits = _drawn("bits", shape, "u64" if code in ("s64", "u64") else "u32")
        if _unk(bits):
            return bits
        x = wrap(convert(_op("tw.unary", [bits._h], {"kind": "abs"}), code))
        if maxval is None:
            return x
        return _scaled(binary("floor_modulo", x, binary("subtract", tensor(maxval, code),
                                                        minval)), 1, minval)
    high = 1.0 if maxval is None else maxval
    low, top = number_of(minval), number_of(high)
    scale = top - low if low is not None and top is not None else binary("subtract", high, minval)
    return _scaled(_drawn("uniform", shape, code), scale, minval)


def shuffle(value, seed=None, name=None):
    h = handle(value)
    if _unk(h):
        return h
    n = _tilewise.shape(h)[0]
    order = _op("tw.permutation", [], {"size": n, "dtype": "s32"})
    return wrap(_op("tw.take", [h, order], {"axis": 0}))


def categorical(logits, num_samples=1, dtype=None, seed=None, name=None):
    h, n = handle(logits), number_of(num_samples)
    if _unk(h):
        return h
    rows, classes = _tilewise.shape(h)
    n = 1 if n is None else int(n)
    wide = _op("tw.broadcast_in_dim", [h], {"shape": [rows, n, classes], "dims": [0, 2]})
    drawn = _op("tw.categorical", [wide])
    return wrap(convert(drawn, "s64" if dtype is None else code_of(dtype)))


multinomial = categorical


def gamma(shape, alpha, beta=None, dtype=_dtypes.float32, seed=None, name=None):
    a = handle(alpha, dtype)
    sizes = ints(shape)
    if _unk(sizes):
        return sizes
    x = normal(sizes + list(_tilewise.shape(a)), dtype=dtype)
    y = unary("square", x) * tensor(alpha, dtype)
    return y if beta is None else binary("divide", y, beta)


def poisson(shape, lam, dtype=_dtypes.float32, seed=None, name=None):
    a = handle(lam)
    sizes = ints(shape)
    if _unk(sizes):
        return sizes
    u = uniform(sizes + list(_tilewise.shape(a)), dtype=dtype)
    return unary("floor", -unary("log", u) * tensor(lam, dtype))


def _stateless(function):
    def drawn(shape, seed=None, *args, **kwargs):
        kwargs.pop("alg", None)
        return function(shape, *args, **kwargs)
    drawn.__name__ = "stateless_" + function.__name__
    return drawn


stateless_normal, stateless_uniform = _stateless(normal), _stateless(uniform)
stateless_truncated_normal = _stateless(truncated_normal)
stateless_categorical = lambda logits, num_samples, seed=None, dtype=None, name=None: categorical(
    logits, num_samples, dtype)
stateless_gamma, stateless_poisson = _stateless(gamma), _stateless(poisson)


def stateless_shuffle(value, seed=None, alg="auto_select", name=None):
    return shuffle(value)


experimental_stateless_shuffle = stateless_shuffle


def _seed():
    return wrap(_tilewise.input([2], "s32", "seed", None))


def stateless_split(seed, num=2, alg="auto_select"):
    return [_seed() for _ in range(number_of(num) or 2)]


split = experimental_stateless_split = stateless_split


def stateless_fold_in(seed, data, alg="auto_select"):
    return seed


fold_in = experimental_stateless_fold_in = stateless_fold_in


def fixed_unigram_candidate_sampler(*args, **kwargs):
    return _tilewise.unknown("candidates that are drawn")


log_uniform_candidate_sampler = uniform_candidate_sampler = fixed_unigram_candidate_sampler
learned_unigram_candidate_sampler = all_candidate_sampler = fixed_unigram_candidate_sampler


def set_seed(seed):
    return None


set_random_seed = set_global_generator = set_seed


class Algorithm:
    PHILOX, THREEFRY, AUTO_SELECT = 1, 2, 3


class Generator:
    def __init__(self, copy_from=None, state=None, alg=None):
        self.algorithm = alg

    @classmethod
    def from_seed(cls, seed, alg=None):
        return cls()

    @classmethod
    def from_non_deterministic_state(cls, alg=None):
        return cls()

    from_state = from_key_counter = from_seed

    normal = staticmethod(normal)
    truncated_normal = staticmethod(truncated_normal)
    uniform = staticmethod(uniform)

    def uniform_full_int(self, shape, dtype=_dtypes.uint64, name=None):
        return uniform(shape, 0, None, dtype)

    def binomial(self, shape, counts, probs, dtype=_dtypes.int32, name=None):
        return wrap(convert(_drawn("uniform", shape, "f32")._h, code_of(dtype)))

    def make_seeds(self, count=1):
        return wrap(_tilewise.input([2, count], "s64", "seed", None))

    def split(self, count=1):
        return [Generator() for _ in range(count)]

    def reset_from_seed(self, seed):
        pass

    def skip(self, delta):
        return self

    @property
    def state(self):
        return _seed()

    key = state


def create_rng_state(seed, alg=None):
    return _seed()


def get_global_generator():
    return Generator()
