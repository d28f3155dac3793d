from ...fsdp import FSDPModule, fully_shard
