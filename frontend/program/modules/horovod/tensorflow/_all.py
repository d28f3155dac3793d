"""Names of horovod.tensorflow."""

from horovod._common import init, no, none, one, same, yes, zero
from tensorflow._tf1.graph import Quiet

size = local_size = cross_size = one
rank = local_rank = cross_rank = zero
is_initialized = mpi_threads_supported = mpi_built = gloo_built = nccl_built = yes
mpi_enabled = gloo_enabled = is_homogeneous = yes
cuda_built = rocm_built = ccl_built = ddl_built = no
allreduce = allgather = broadcast = broadcast_object = grouped_allreduce = same
alltoall = reducescatter = same
broadcast_variables = broadcast_global_variables = shutdown = join = barrier = none
Average = Sum = Adasum = Min = Max = "reduction"


class Compression:
    none = fp16 = None


class BroadcastGlobalVariablesHook(Quiet):
    pass


def DistributedOptimizer(optimizer, *args, **kwargs):
    """Gradients are averaged over the workers before they are applied."""
    return optimizer


def DistributedGradientTape(gradtape, *args, **kwargs):
    return gradtape


DistributedAdasumOptimizer = DistributedOptimizer
