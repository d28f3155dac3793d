from torch.nn.parallel import DataParallel
from torch_xla.distributed.spmd import get_global_mesh, mark_sharding


class SpmdFullyShardedDataParallel(DataParallel):
    def __init__(self, module, mesh=None, shard_output=None, auto_wrap_policy=None,
                 auto_wrapper_callable=None, shard_axis_name="fsdp", **kwargs):
        DataParallel.__init__(self, module)
        mesh = mesh or get_global_mesh()
        if mesh is not None:
            for p in module.parameters():
                mark_sharding(p, mesh, [shard_axis_name] + [None] * (p.dim() - 1))
