"""torch.distributed: the program is read as process 0 of as many as the target has cores."""

import _tilewise
from .._tensor import run_per_core


class ReduceOp:
    SUM, PRODUCT, MIN, MAX, AVG, BAND, BOR, BXOR, PREMUL_SUM = range(9)


class _Group:
    WORLD = None


group = _Group
GroupMember = _Group
ProcessGroup = _Group
_state = {"on": False}


def is_available():
    return True


def is_initialized():
    return _state["on"]


is_torchelastic_launched = is_available


def init_process_group(backend=None, *args, **kwargs):
    _state["on"] = True
    run_per_core()


def get_world_size(group=None):
    return _tilewise.replicas() if _state["on"] else 1


def get_rank(group=None):
    return 0


def get_backend(group=None):
    return "xla"


class _Work:
    def wait(self):
        pass


def _nothing(*args, **kwargs):
    return _Work()


barrier = destroy_process_group = new_group = broadcast = all_reduce = reduce = _nothing
send = recv = monitored_barrier = broadcast_object_list = all_gather_object = _nothing


def all_gather(tensor_list, tensor, group=None, async_op=False):
    for i in range(len(tensor_list)):
        tensor_list[i] = tensor
    return _Work()


def all_gather_into_tensor(output, input, group=None, async_op=False):
    return _Work()


def reduce_scatter_tensor(output, input, op=None, group=None, async_op=False):
    return _Work()


reduce_scatter = all_to_all = all_to_all_single = isend = irecv = gather = _nothing
gather_object = scatter_object_list = _nothing


def get_default_backend_for_device(device):
    return "xla"


def get_process_group_ranks(group=None):
    return list(range(get_world_size()))


def get_node_local_rank(fallback_rank=None):
    return 0


def is_nccl_available():
    return False


is_gloo_available = is_mpi_available = is_nccl_available
get_global_rank = get_group_rank = get_rank


def scatter(tensor, scatter_list=None, src=0, group=None, async_op=False):
    return _Work()


from . import device_mesh
from .device_mesh import DeviceMesh, init_device_mesh
