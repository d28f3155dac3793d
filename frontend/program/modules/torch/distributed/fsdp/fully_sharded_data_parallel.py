from . import (
    BackwardPrefetch, CPUOffload, FullStateDictConfig, FullyShardedDataParallel, MixedPrecision,
    ShardingStrategy, StateDictType)
