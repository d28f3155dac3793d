from ...fsdp import CPUOffloadPolicy, FSDPModule, MixedPrecisionPolicy, fully_shard
