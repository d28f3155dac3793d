import torch
from torch.nn import SyncBatchNorm


class DistributedDataParallel(torch.nn.parallel.DistributedDataParallel):
    def __init__(self, module, message_size=10000000, delay_allreduce=False, **options):
        torch.nn.parallel.DistributedDataParallel.__init__(self, module)


class Reducer:
    def __init__(self, module_or_grads_list):
        pass

    def reduce(self):
        pass


def convert_syncbn_model(module, process_group=None, channel_last=False):
    return module


def create_syncbn_process_group(group_size):
    return None
