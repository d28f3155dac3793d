"""jax on symbols: arrays are handles of `_tilewise`, and transformations read programs."""

import _tilewise as _t
from jax import _core
from jax._core import Array
from jax import _tree
from jax import tree_util
from jax import tree
from jax import sharding
from jax import numpy
from jax import lax
from jax import nn
from jax import random
from jax import ref
from jax.ref import Ref, freeze, new_ref
from jax._transforms import (
    jit, vmap, pmap, grad, value_and_grad, vjp, jvp, linearize, jacfwd, jacrev, jacobian, hessian,
    checkpoint, custom_vjp, custom_jvp, custom_gradient, eval_shape, make_jaxpr,
    ShapeDtypeStruct, replicated as _replicated)
from jax.sharding import (NamedSharding, make_mesh, set_mesh, Mesh as _Mesh,
                          PartitionSpec as P)

__version__ = "0.6.2"
__version_info__ = (0, 6, 2)
remat = checkpoint
tree_map = tree_util.tree_map
tree_leaves = tree_util.tree_leaves
tree_flatten = tree_util.tree_flatten
tree_unflatten = tree_util.tree_unflatten
tree_multimap = tree_util.tree_map
tree_structure = tree_util.tree_structure
float0 = _core.bool_
Device = object


class _Config:
    jax_enable_x64 = False
    jax_platforms = "tpu"
    jax_debug_nans = False
    jax_threefry_partitionable = True
    x64_enabled = False

    def update(self, name, value):
        if name == "jax_enable_x64":
            _core.X64[0] = bool(value)
        setattr(self, name, value)

    def parse_flags_with_absl(self):
        return None

    def config_with_absl(self):
        return None

    def define_bool_state(self, *args, **kw):
        return None

    add_option = define_bool_state

    def read(self, name):
        return getattr(self, name, None)

    def enable_omnistaging(self):
        return None

    def __getattr__(self, name):
        # Options that no program sets have no effect here.
        if name[:2] == "__":
            raise AttributeError(name)
        return None


config = _Config()


class TpuDevice:
    platform = "tpu"
    device_kind = _t.slice_shape()[0] or "TPU"
    num_slices = 1

    def __init__(self, i):
        _, per_chip, axes = _t.slice_shape()
        x, y, z = (list(axes) + [1, 1, 1])[:3] if axes else (1 << 30, 1, 1)
        chip = i // per_chip
        self.id = i
        self.slice_index = 0
        self.coords = (chip % x, chip // x % y, chip // (x * y) % z)
        self.core_on_chip = i % per_chip
        # A machine holds a square of four chips.
        place = self.coords[0] // 2 + self.coords[1] // 2 * max(1, x // 2)
        place += self.coords[2] * max(1, x // 2) * max(1, y // 2)
        self.process_index = self.host_id = place if axes and _t.hosts() > 1 else 0
        self.local_hardware_id = i

    def memory_stats(self):
        names = ("bytes_in_use", "bytes_limit", "peak_bytes_in_use", "bytes_reservable_limit",
                 "largest_alloc_size", "num_allocs")
        return {n: _t.unknown("the memory in use") for n in names}

    def __repr__(self):
        return "TpuDevice(id=" + str(self.id) + ")"


_devices = []


class _DeviceList(list):
    """One that asks for the first device asks for no others."""

    def __len__(self):
        _t.replicas()
        return list.__len__(self)

    def __iter__(self):
        _t.replicas()
        return list.__iter__(self)


def devices(backend=None):
    if not _devices:
        for i in range(_t.replicas(False)):
            _devices.append(TpuDevice(i))
    return _DeviceList(_devices)


def local_devices(process_index=None, backend=None, host_id=None):
    devices()
    number = max(1, _t.replicas(False) // max(1, _t.hosts()))
    local = [d for d in _devices if d.process_index == (process_index or 0)]
    return _DeviceList(local if len(local) == number else _devices[:number])


def device_count(backend=None):
    return _t.replicas()


def local_device_count(backend=None):
    return max(1, _t.replicas() // max(1, _t.hosts()))


def process_count(backend=None):
    _t.record("asks_hosts")
    return _t.hosts()


host_count = process_count


def process_index(backend=None):
    return 0


host_id = process_index


def default_backend():
    return "tpu"


def device_get(x):
    return x


def device_put(x, device=None, *args, src=None, **kw):
    if device is None:
        return _tree.map(_as_device_array, x)
    x = _tree.map(_as_device_array, x)
    try:
        return sharding.constrain(x, device)
    except (ValueError, TypeError, KeyError, IndexError):
        return x


def _as_device_array(x):
    if isinstance(x, (ShapeDtypeStruct, str)):
        return x
    return _core.as_array(x)


def device_put_replicated(x, devices):
    return _tree.map(lambda v: _replicated(v, len(devices)), x)


def device_put_sharded(shards, devices):
    return _tree.map(lambda *v: _core.stack(v, 0), shards[0], *shards[1:])


def block_until_ready(x):
    return x


def make_array_from_process_local_data(sharding, local_data, global_shape=None):
    _t.record("host_batches")
    def one(part):
        x = _as_device_array(part)
        if hasattr(sharding, "spec"):
            globals()["sharding"].note_sharding(x, sharding)
        return x
    return tree.map(one, local_data)


def make_array_from_callback(shape, sharding, data_callback, **kw):
    x = data_callback(tuple(slice(None) for _ in shape))
    return _core.as_array(x)


def make_array_from_single_device_arrays(shape, sharding, arrays, **kw):
    x = _core.as_array(arrays[0])
    if tuple(x.shape) == tuple(shape):
        return x
    if x._batch is not None:
        return _core.fed(shape, x.dtype, x._batch)  # the parts are those of one batch
    return _core.concatenate(list(arrays), 0) if len(arrays) > 1 else x


def pure_callback(callback, result_shape_dtypes, *args, **kw):
    return _tree.map(lambda s: _core.full(0, s.shape, s.dtype), result_shape_dtypes)


def io_callback(callback, result_shape_dtypes, *args, **kw):
    return pure_callback(callback, result_shape_dtypes)


class named_scope:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def __call__(self, fun):
        return fun


def named_call(fun=None, *, name=None):
    return (lambda f: f) if fun is None else fun


def named_computation(fun=None, **kw):
    return named_call(fun)


class _Ignore:
    """A context or decorator that changes nothing here."""

    def __init__(self, *args, **kw):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def __call__(self, fun=None, *args, **kw):
        return fun


disable_jit = _Ignore
default_matmul_precision = _Ignore
default_device = _Ignore
default_prng_impl = _Ignore
debug_nans = _Ignore
log_compiles = _Ignore
transfer_guard = _Ignore
numpy_rank_promotion = _Ignore
enable_checks = _Ignore
checking_leaks = _Ignore
ensure_compile_time_eval = _Ignore
spmd_mode = _Ignore
experimental_x64 = _Ignore
legacy_prng_key = _Ignore


def clear_caches():
    return None


def clear_backends():
    return None


def live_arrays(*args):
    return []


def typeof(x):
    return _core.as_array(x)


class monitoring:
    @staticmethod
    def record_event(*args, **kw):
        return None

    record_event_duration_secs = record_event_time_span = record_scalar = record_event
    register_event_listener = register_event_duration_secs_listener = record_event


class debug:
    @staticmethod
    def print(*args, **kw):
        return None

    @staticmethod
    def callback(*args, **kw):
        return None

    @staticmethod
    def breakpoint(*args, **kw):
        return None

    @staticmethod
    def visualize_array_sharding(*args, **kw):
        return None


class profiler:
    TraceAnnotation = _Ignore
    StepTraceAnnotation = _Ignore
    trace = _Ignore
    annotate_function = staticmethod(lambda f=None, **kw: f)
    start_trace = staticmethod(lambda *args, **kw: None)
    stop_trace = staticmethod(lambda *args, **kw: None)
    start_server = staticmethod(lambda *args, **kw: None)
    save_device_memory_profile = staticmethod(lambda *args, **kw: None)


class distributed:
    initialize = staticmethod(lambda *args, **kw: None)
    shutdown = staticmethod(lambda *args, **kw: None)
    is_initialized = staticmethod(lambda *args, **kw: True)


class checkpoint_policies:
    everything_saveable = staticmethod(lambda *args, **kw: "everything")
    nothing_saveable = staticmethod(lambda *args, **kw: "nothing")
    dots_saveable = staticmethod(lambda *args, **kw: "dots")
    checkpoint_dots = staticmethod(lambda *args, **kw: "dots")
    dots_with_no_batch_dims_saveable = staticmethod(lambda *args, **kw: "dots_no_batch")
    checkpoint_dots_with_no_batch_dims = staticmethod(lambda *args, **kw: "dots_no_batch")
    save_from_both_policies = staticmethod(lambda *args, **kw: "names")
    save_only_these_names = staticmethod(lambda *args, **kw: "names")
    save_any_names_but_these = staticmethod(lambda *args, **kw: "names")
    save_anything_except_these_names = staticmethod(lambda *args, **kw: "names")
    save_and_offload_only_these_names = staticmethod(lambda *args, **kw: "names")
    offload_dot_with_no_batch_dims = staticmethod(lambda *args, **kw: "offload")


class stages:
    Compiled = object
    Lowered = object
    Wrapped = object


class errors:
    class JaxRuntimeError(RuntimeError):
        pass

    class ConcretizationTypeError(TypeError):
        pass

    class TracerArrayConversionError(TypeError):
        pass


from jax import core
from jax import dtypes
from jax import scipy
from jax import ad_checkpoint
from jax import typing
from jax import experimental
from jax import interpreters
from jax import image
from jax import util
from jax import ops
from jax import extend
from jax import dlpack
from jax.experimental.shard_map import shard_map
