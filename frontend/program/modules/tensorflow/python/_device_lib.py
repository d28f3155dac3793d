"""What devices there are."""

import _tilewise as _t


class _Device:
    device_type = "TPU"
    physical_device_desc = ""
    memory_limit = 0

    def __init__(self, i):
        self.name = "/device:TPU:" + str(i)


def list_local_devices(session_config=None):
    return [_Device(i) for i in range(_t.replicas())]
