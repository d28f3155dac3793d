"""The package torch, as tilewise reads it: tensors are symbols in a graph."""

import math
import _tilewise
from . import _tensor
from ._tensor import (
    Tensor, dtype, device, tensor, full, zeros, empty, ones, full_like, zeros_like, ones_like,
    empty_like, empty_strided, randn, rand, rand_like, randn_like, randint, randint_like, randperm,
    normal, arange, linspace, logspace, eye, from_numpy, as_tensor, asarray, scalar_tensor, polar,
    cat, concat, concatenate, stack, hstack, vstack, where, einsum, meshgrid, broadcast_tensors,
    broadcast_shapes, cartesian_prod, block_diag, cdist, bucketize, searchsorted, tril_indices,
    triu_indices, view_as_complex, view_as_real, wrap)

__version__ = "2.5.0"

float32, float64, float16, bfloat16 = (
    _tensor.float32, _tensor.float64, _tensor.float16, _tensor.bfloat16)
uint8, int8, int16, int32, int64, complex64, complex128 = (
    _tensor._DTYPES[n]
    for n in ("uint8", "int8", "int16", "int32", "int64", "complex64", "complex128"))
float8_e4m3fn, float8_e5m2 = _tensor._DTYPES["float8_e4m3fn"], _tensor._DTYPES["float8_e5m2"]
uint16, uint32, uint64 = (_tensor._DTYPES[n] for n in ("uint16", "uint32", "uint64"))
half, double, short, long, cfloat = float16, float64, int16, int64, complex64
# These names are those of Python's own types, which are not used below.
float, int, bool = float32, int32, _tensor.boolean
Size = tuple
_from_handle = wrap
pi, e, inf, nan = math.pi, math.e, math.inf, math.nan
complex, range = _tensor.complex_, _tensor.range_
strided = "strided"
contiguous_format, channels_last, channels_last_3d, preserve_format = (
    "contiguous_format", "channels_last", "channels_last_3d", "preserve_format")


def _typed(kind):
    def make(*data, device=None):
        if len(data) == 1 and type(data[0]) is not type(0):  # `int` is a type of torch here
            return tensor(data[0], dtype=kind)
        return zeros(*data, dtype=kind)
    make.code = kind.code
    return make


FloatTensor, DoubleTensor, HalfTensor, LongTensor, IntTensor, ByteTensor, BoolTensor = (
    _typed(k) for k in (float32, float64, float16, int64, int32, uint8, bool))
BFloat16Tensor = _typed(bfloat16)

_functional = None  # torch.nn.functional, once it is there
# What __getattr__ must not find among the methods of Tensor.
_NO_FUNCTIONS = ("cuda", "xla", "float", "int", "bool", "double", "half", "long", "to", "data",
                 "grad", "shape", "size", "view", "backward", "cpu", "device", "dtype", "type",
                 "numpy", "T")


def __getattr__(name):
    """Most functions are methods of Tensor as well."""
    if name == "distributions":
        import torch.distributions as made
        return made
    if name == "_six":
        import torch._six as made
        return made
    if name[:1] == "_" or name in _NO_FUNCTIONS:
        raise AttributeError("module 'torch' has no attribute '" + name + "'")
    if name[-1:] == "_":
        return lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)
    if hasattr(Tensor, name):
        return getattr(Tensor, name)
    if _functional is None:
        raise AttributeError(name)
    return getattr(_functional, name)


def is_tensor(obj):
    return isinstance(obj, Tensor)


def is_storage(obj):
    return False


def typename(obj):
    return type(obj).__name__


def numel(input):
    return input.numel()


def reshape(input, shape):
    return input.reshape(*shape)


def permute(input, dims):
    return input.permute(*dims)


def tile(input, dims):
    return input.tile(*dims)


def flip(input, dims):
    return input.flip(*dims)


def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    return input.norm(2 if p == "fro" else p, dim, keepdim, dtype)


def pow(input, exponent):
    return input.pow(exponent) if isinstance(input, Tensor) else tensor(input) ** exponent


def batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps,
               cudnn_enabled=True):
    return nn.functional.batch_norm(input, running_mean, running_var, weight, bias, training,
                                    momentum, eps)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    return nn.functional.layer_norm(input, normalized_shape, weight, bias, eps)


def dropout(input, p=0.5, train=True):
    return nn.functional.dropout(input, p, train)


def relu_(input):
    return input._set(input.relu())


def atleast_1d(input):
    return input.reshape(1) if input.dim() == 0 else input


def kron(input, other):
    y = input.unsqueeze(1).unsqueeze(3) * other.unsqueeze(0).unsqueeze(2)
    return y.reshape(input.shape[0] * other.shape[0], input.shape[1] * other.shape[1])


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True):
    return nn.functional.group_norm(input, num_groups, weight, bias, eps)


def empty_permuted(size, physical_layout, **options):
    return zeros(*size, dtype=options.get("dtype"))


def rsub(input, other):
    return other - input


def result_type(a, b):
    return wrap(_tensor.pair(a, b)[0]).dtype


def promote_types(a, b):
    return _tensor._BY_CODE[_tensor.promoted(a.code, b.code)]


class finfo:
    _ROWS = {"float32": (1.1920929e-07, 3.4028235e+38, 1.1754944e-38, 32),
             "float64": (2.220446049250313e-16, 1.7976931348623157e+308, 2.2250738585072014e-308,
                         64),
             "float16": (0.0009765625, 65504.0, 6.103515625e-05, 16),
             "bfloat16": (0.0078125, 3.3895313892515355e+38, 1.1754943508222875e-38, 16)}

    def __init__(self, dtype=None):
        self.eps, self.max, self.tiny, self.bits = finfo._ROWS[(dtype or get_default_dtype()).name]
        self.min, self.smallest_normal, self.resolution = -self.max, self.tiny, self.eps


class iinfo:
    def __init__(self, dtype):
        self.bits = 8 * dtype.itemsize
        signed = dtype.is_signed
        self.max = 2 ** (self.bits - (1 if signed else 0)) - 1
        self.min = -self.max - 1 if signed else 0


# ---- what holds for the program


def get_default_dtype():
    return _tensor.state.default


def set_default_dtype(d):
    _tensor.state.default = d


def set_default_tensor_type(t):
    names = {FloatTensor: float32, DoubleTensor: float64, HalfTensor: float16,
             BFloat16Tensor: bfloat16, "torch.FloatTensor": float32, "torch.HalfTensor": float16,
             "torch.cuda.FloatTensor": float32, "torch.DoubleTensor": float64,
             "torch.BFloat16Tensor": bfloat16}
    if t in names:
        _tensor.state.default = names[t]


def _nothing(*args, **kwargs):
    return None


set_default_device = set_float32_matmul_precision = set_num_threads = set_printoptions = _nothing
set_num_interop_threads = use_deterministic_algorithms = save = seed = set_rng_state = _nothing
set_flush_denormal = set_deterministic_debug_mode = _nothing


def manual_seed(seed):
    return default_generator


def initial_seed():
    return 0


def get_rng_state():
    return zeros(16, dtype=uint8)


def get_num_threads():
    return 1


def load(f, map_location=None, weights_only=None, **options):
    return _tilewise.unknown("what a file holds that the program loads")


class Generator:
    def __init__(self, device="cpu"):
        self.device = device

    def manual_seed(self, seed):
        return self

    def seed(self):
        return 0

    initial_seed = seed

    def get_state(self):
        return None

    set_state = manual_seed


default_generator = Generator()


class _Grad:
    """A context and a decorator, with or without parentheses."""
    mode = False

    def __init__(self, function=None):
        self.function = function

    def __new__(cls, function=None, **options):
        if callable(function):
            return cls._around(function, cls.mode)
        return object.__new__(cls)

    @staticmethod
    def _around(function, mode):
        def wrapped(*args, **kwargs):
            before = _tensor.state.grad
            _tensor.set_grad(mode)
            try:
                return function(*args, **kwargs)
            finally:
                _tensor.set_grad(before)
        wrapped.__name__ = getattr(function, "__name__", "wrapped")
        return wrapped

    def __call__(self, function):
        return self._around(function, self.mode)

    def __enter__(self):
        self.before = _tensor.state.grad
        _tensor.set_grad(self.mode)
        return self

    def __exit__(self, *error):
        _tensor.set_grad(self.before)
        return False


class no_grad(_Grad):
    pass


class enable_grad(_Grad):
    mode = True


class inference_mode(_Grad):
    def __init__(self, mode=True):
        self.mode = False if mode else _tensor.state.grad


class set_grad_enabled(_Grad):
    def __init__(self, mode):
        self.before = _tensor.state.grad
        self.mode = mode
        _tensor.set_grad(mode)

    def __enter__(self):
        return self


def is_grad_enabled():
    return _tensor.state.grad


def is_inference_mode_enabled():
    return False


def is_autocast_enabled(device_type=None):
    return _tensor.state.cast is not None


def get_autocast_gpu_dtype():
    return bfloat16


get_autocast_cpu_dtype = get_autocast_dtype = get_autocast_gpu_dtype


def compile(model=None, **options):
    return (lambda m: m) if model is None else model


def is_floating_point(input):
    return input.dtype.is_floating_point


def is_complex(input):
    return input.dtype.is_complex


def is_nonzero(input):
    return input.item() != 0


def vmap(function, in_dims=0, out_dims=0, **options):
    def mapped(*args):
        n = args[0].shape[0]
        rows = [function(*[a[i] for a in args]) for i in _tensor.arange(n).tolist()]
        return stack(rows)
    return mapped


from . import nn, autograd, cuda, backends, distributed, jit, optim, utils, fx, linalg
from .cuda import OutOfMemoryError
from . import special, accelerator, amp, fft, hub, onnx, ops, _dynamo, _C, version, profiler
from . import multiprocessing, compiler, overrides, sparse
from .amp import autocast
from .nn import Parameter as _Parameter
from .nn import functional as _functional
from .fft import istft, stft
from .linalg import det, inv as inverse, logdet, matmul, qr, slogdet
from .sparse import mm, sparse_coo_tensor

spmm = smm = mm


def _assert(condition, message):
    pass
