import _tilewise
from torch._tensor import _DEVICE, cat
from ..runtime import global_ordinal as get_ordinal
from ..runtime import local_ordinal as get_local_ordinal
from ..runtime import world_size as xrt_world_size

REDUCE_SUM, REDUCE_MUL, REDUCE_AND, REDUCE_OR, REDUCE_MIN, REDUCE_MAX = (
    "sum", "mul", "and", "or", "min", "max")


def xla_device(n=None, devkind=None):
    import torch_xla
    return torch_xla.device()


def xla_real_devices(devices=None):
    return ["TPU:0"]


def get_xla_supported_devices(devkind=None, max_devices=None):
    return ["xla:" + str(i) for i in range(_tilewise.replicas())]


def xla_device_hw(device):
    return "TPU"


def is_master_ordinal(local=True):
    return True


def master_print(*args, **kwargs):
    print(*args)


def optimizer_step(optimizer, barrier=False, optimizer_args=None, groups=None, pin_layout=True):
    return optimizer.step(**(optimizer_args or {}))


def _nothing(*args, **kwargs):
    pass


# Closures of a step print what it made; they run beside the device.
mark_step = wait_device_ops = rendezvous = reduce_gradients = set_rng_state = add_step_closure = \
    broadcast_master_param = set_replication = unlazy = save = _nothing


def get_rng_state(device=None):
    return 0


def all_reduce(reduce_type, inputs, scale=1.0, groups=None, cctx=None, pin_layout=True):
    return inputs


def all_gather(value, dim=0, groups=None, output=None, pin_layout=True):
    return cat([value] * xrt_world_size(), dim)


def mesh_reduce(tag, data, reduce_fn):
    return reduce_fn([data])


def get_memory_info(device=None):
    return {"bytes_used": 0, "bytes_limit": 1}


def parse_xla_device(device):
    return ("TPU", 0)


class RateTracker:
    def __init__(self, smooth_factor=None):
        pass

    def add(self, count):
        pass

    def rate(self):
        return 1.0

    global_rate = rate
