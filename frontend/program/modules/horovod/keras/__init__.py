"""horovod.keras."""

from horovod.tensorflow.keras import (
    Average, Compression, DistributedOptimizer, Sum, allgather, allreduce, broadcast,
    broadcast_global_variables, callbacks, init, load_model, local_rank, local_size, rank,
    shutdown, size)
