import _tilewise

_state = {"spmd": False}


def world_size():
    _tilewise.record("processes")  # what asks for them is made for several
    return 1 if _state["spmd"] else _tilewise.replicas()


def global_runtime_device_count():
    return _tilewise.replicas()


global_device_count = addressable_device_count = addressable_runtime_device_count = \
    local_device_count = global_runtime_device_count


def global_ordinal():
    _tilewise.record("processes")
    return 0


local_ordinal = process_index = local_process_index = host_index = global_ordinal


def process_count():
    return _tilewise.hosts()


local_process_count = process_count


def device_type():
    return "TPU"


def use_spmd(auto=False):
    _state["spmd"] = True
    _tilewise.record("spmd")


def is_spmd():
    return _state["spmd"]


def using_pjrt():
    return True


def _nothing(*args, **kwargs):
    pass


initialize_cache = set_device_type = clear_computation_cache = _nothing


def global_runtime_device_attributes():
    return [{"coords": [i, 0, 0], "core": 0} for i in range(_tilewise.replicas())]
