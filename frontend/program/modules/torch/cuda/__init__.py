"""torch.cuda: a TPU machine has none."""

from . import amp
from .amp import autocast


def is_available():
    return False


def device_count():
    return 0


def current_device():
    return 0


def is_initialized():
    return False


is_bf16_supported = is_available


def get_device_name(device=None):
    return "cpu"


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


class CUDAGraph:
    pass
