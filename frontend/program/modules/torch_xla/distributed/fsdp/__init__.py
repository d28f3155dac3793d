"""Fully sharded data parallelism: each weight is split over all cores."""

import _tilewise
from torch.nn.parallel import DataParallel


class XlaFullyShardedDataParallel(DataParallel):
    def __init__(self, module, *args, **kwargs):
        DataParallel.__init__(self, module)
        _tilewise.record("mesh", shape=[_tilewise.replicas()], names=["fsdp"])
        for p in module.parameters():
            _tilewise.record("shard", value=p._h, axes=["fsdp"])

    def clip_grad_norm_(self, max_norm, norm_type=2.0, groups=None):
        pass


def checkpoint_module(module, *args, **kwargs):
    forward = module.forward

    def checkpointed(*inputs, **options):
        _tilewise.record("remat")
        return forward(*inputs, **options)

    module.forward = checkpointed
    return module
