"""tf.config."""

import _tilewise


class PhysicalDevice:
    def __init__(self, name, device_type):
        self.name, self.device_type = name, device_type


class LogicalDevice(PhysicalDevice):
    pass


def _devices(kind, cls, prefix):
    made = []
    if kind in (None, "CPU"):
        made.append(cls(prefix + "CPU:0", "CPU"))
    if kind in (None, "TPU"):
        made += [cls(prefix + "TPU:" + str(i), "TPU") for i in range(_tilewise.replicas())]
    return made


def list_physical_devices(device_type=None):
    return _devices(device_type, PhysicalDevice, "/physical_device:")


def list_logical_devices(device_type=None):
    return _devices(device_type, LogicalDevice, "/job:worker/replica:0/task:0/device:")


get_visible_devices = list_physical_devices


def _nothing(*args, **kwargs):
    return None


set_visible_devices = set_logical_device_configuration = set_soft_device_placement = _nothing
run_functions_eagerly = experimental_run_functions_eagerly = _nothing
experimental_connect_to_cluster = experimental_connect_to_host = _nothing
enable_op_determinism = disable_op_determinism = _nothing


def functions_run_eagerly():
    return False


def get_soft_device_placement():
    return True


def get_logical_device_configuration(device):
    return None


class LogicalDeviceConfiguration:
    def __init__(self, memory_limit=None, experimental_priority=None, **ignored):
        self.memory_limit = memory_limit


class optimizer:
    set_jit = set_experimental_options = staticmethod(_nothing)
    get_jit = staticmethod(lambda: "")
    get_experimental_options = staticmethod(lambda: {})


class threading:
    set_inter_op_parallelism_threads = set_intra_op_parallelism_threads = staticmethod(_nothing)
    get_inter_op_parallelism_threads = staticmethod(lambda: 0)
    get_intra_op_parallelism_threads = staticmethod(lambda: 0)


class experimental:
    list_physical_devices = staticmethod(list_physical_devices)
    list_logical_devices = staticmethod(list_logical_devices)
    get_visible_devices = staticmethod(list_physical_devices)
    set_visible_devices = set_memory_growth = set_virtual_device_configuration = \
        staticmethod(_nothing)
    get_memory_growth = staticmethod(lambda device: True)
    get_device_details = staticmethod(lambda device: {})
    get_memory_info = staticmethod(lambda device: {"current": 0, "peak": 0})
    get_memory_usage = staticmethod(lambda device: 0)
    reset_memory_stats = set_synchronous_execution = enable_tensor_float_32_execution = \
        staticmethod(_nothing)
    tensor_float_32_execution_enabled = staticmethod(lambda: True)
    disable_mlir_bridge = enable_mlir_bridge = staticmethod(_nothing)
    disable_mlir_graph_optimization = enable_mlir_graph_optimization = staticmethod(_nothing)
    VirtualDeviceConfiguration = LogicalDeviceConfiguration

    class ClusterDeviceFilters:
        pass


set_memory_growth = _nothing
