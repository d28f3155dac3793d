"""horovod.tensorflow."""

from horovod._common import init
from horovod.tensorflow._all import (
    Adasum, Average, BroadcastGlobalVariablesHook, Compression, DistributedGradientTape,
    DistributedOptimizer, Max, Min, Sum, allgather, allreduce, alltoall, barrier, broadcast,
    broadcast_global_variables, broadcast_object, broadcast_variables, cross_rank, cross_size,
    cuda_built, gloo_built, gloo_enabled, grouped_allreduce, is_homogeneous, is_initialized, join,
    local_rank, local_size, mpi_built, mpi_enabled, mpi_threads_supported, nccl_built, rank,
    reducescatter, shutdown, size)
