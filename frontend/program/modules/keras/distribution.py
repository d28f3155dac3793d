"""keras.distribution."""

import _tilewise as _t


class DeviceMesh:
    def __init__(self, shape=None, axis_names=None, devices=None):
        self.shape, self.axis_names, self.devices = shape, axis_names, devices
        if shape is not None:
            _t.record("mesh", shape=list(shape), names=list(axis_names))


class TensorLayout:
    def __init__(self, axes, device_mesh=None):
        self.axes, self.device_mesh = axes, device_mesh


class Distribution:
    def __init__(self, *args, **kwargs):
        self.device_mesh = kwargs.get("device_mesh")

    def scope(self):
        import contextlib
        return contextlib.nullcontext()


class DataParallel(Distribution):
    pass


class ModelParallel(Distribution):
    pass


class LayoutMap(dict):
    def __init__(self, device_mesh=None):
        self.device_mesh = device_mesh


_now = [None]


def set_distribution(value):
    _now[0] = value


def distribution():
    return _now[0]


def list_devices(device_type=None):
    return ["tpu:" + str(i) for i in range(_t.replicas())]


def initialize(*args, **kwargs):
    pass


def distribute_tensor(value, layout):
    return value
