from ..tensor import (
    DTensor, DeviceMesh, Partial, Placement, Replicate, Shard, distribute_module,
    distribute_tensor, init_device_mesh)
