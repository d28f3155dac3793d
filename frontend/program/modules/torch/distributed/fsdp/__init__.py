from ...nn.parallel import DataParallel


class FullyShardedDataParallel(DataParallel):
    def __init__(self, module, *args, **kwargs):
        DataParallel.__init__(self, module)


class ShardingStrategy:
    FULL_SHARD, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD = range(4)
