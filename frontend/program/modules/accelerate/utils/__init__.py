from accelerate import (DeepSpeedPlugin, DistributedDataParallelKwargs, DistributedType,
                        FullyShardedDataParallelPlugin, GradientAccumulationPlugin,
                        InitProcessGroupKwargs, ProjectConfiguration)


def set_seed(seed, device_specific=False, deterministic=False):
    pass


def gather_object(object):
    return object


broadcast_object_list = gather = broadcast = reduce = gather_object


def is_xpu_available(*args):
    return False


is_npu_available = is_mlu_available = is_rich_available = is_ccl_available = is_xpu_available


def find_executable_batch_size(function=None, starting_batch_size=128):
    if function is None:
        return lambda f: find_executable_batch_size(f, starting_batch_size)
    return lambda *args, **kwargs: function(starting_batch_size, *args, **kwargs)


def release_memory(*objects):
    return [None] * len(objects)


def send_to_device(tensor, device, **options):
    return tensor


def write_basic_config(*args, **kwargs):
    pass


class DummyOptim:
    def __init__(self, params, lr=0.001, weight_decay=0, **kwargs):
        from torch.optim import AdamW
        self.__dict__["inner"] = AdamW(params, lr=lr, weight_decay=weight_decay)

    def __getattr__(self, name):
        return getattr(self.inner, name)


class DummyScheduler:
    def __init__(self, optimizer, *args, **kwargs):
        self.optimizer = optimizer

    def step(self, *args):
        pass

    def get_last_lr(self):
        return [0.0]
