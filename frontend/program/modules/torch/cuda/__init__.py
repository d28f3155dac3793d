"""torch.cuda: programs that ask for a GPU are read as if there was one, the TPU."""

from . import amp
from .amp import autocast


def is_available():
    return True


def device_count():
    import _tilewise
    return _tilewise.replicas()


def current_device():
    return 0


def is_initialized():
    return False


is_bf16_supported = is_available


def get_device_name(device=None):
    return "TPU"


def get_device_capability(device=None):
    return (0, 0)


def _nothing(*args, **kwargs):
    return None


def _zero(*args, **kwargs):
    return 0


set_device = manual_seed = manual_seed_all = synchronize = empty_cache = init = _nothing
reset_peak_memory_stats = reset_max_memory_allocated = set_rng_state = get_rng_state = _nothing
set_per_process_memory_fraction = ipc_collect = _nothing
memory_allocated = max_memory_allocated = memory_reserved = max_memory_reserved = _zero


class _Context:
    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def record(self, stream=None):
        pass

    wait = wait_event = wait_stream = synchronize = record

    def elapsed_time(self, other):
        return 1.0


device = Stream = Event = stream = _Context


def current_stream(device=None):
    return _Context()


default_stream = current_stream


class OutOfMemoryError(RuntimeError):
    pass


class CUDAGraph:
    pass


def __getattr__(name):
    """Types of tensors that have the names of those of the host."""
    if name.endswith("Tensor"):
        import torch
        return getattr(torch, name)
    raise AttributeError("module 'torch.cuda' has no attribute '" + name + "'")
