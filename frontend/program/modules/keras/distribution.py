"""keras.distribution: meshes, and which dims of weights and batches their axes split."""

import re

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
    layout_map = batch_dim_name = None

    def __init__(self, device_mesh=None, batch_dim_name=None, auto_shard_dataset=True):
        self.device_mesh, self.batch_dim_name = device_mesh, batch_dim_name
        if batch_dim_name is None and device_mesh is not None and device_mesh.axis_names:
            self.batch_dim_name = device_mesh.axis_names[0]

    def scope(self):
        return _Scope(self)


class _Scope:
    def __init__(self, distribution):
        self.distribution = distribution

    def __enter__(self):
        self.before, _now[0] = _now[0], self.distribution

    def __exit__(self, kind, value, trace):
        _now[0] = self.before
        return False


class DataParallel(Distribution):
    def __init__(self, device_mesh=None, devices=None, auto_shard_dataset=True):
        Distribution.__init__(self, device_mesh)


class ModelParallel(Distribution):
    def __init__(self, *args, layout_map=None, batch_dim_name=None, **kwargs):
        # Before Keras 3.5 the mesh came first, and the layouts after it.
        given = list(args)
        mesh = kwargs.get("device_mesh") or (given[0] if given else None)
        layouts = layout_map if layout_map is not None else given[1] if len(given) > 1 else None
        if mesh is None and layouts is not None:
            mesh = layouts.device_mesh
        Distribution.__init__(self, mesh, batch_dim_name)
        self.layout_map = layouts


class LayoutMap(dict):
    """The dims of weights by patterns of their paths."""

    def __init__(self, device_mesh=None):
        self.device_mesh = device_mesh

    def axes_of(self, path):
        for pattern, axes in self.items():
            if pattern == path or re.search(pattern, path):
                return getattr(axes, "axes", axes)
        return None


_now = [None]


def set_distribution(value):
    _now[0] = value


def distribution():
    return _now[0]


def _split(h, axes):
    _t.record("shard", value=h, axes=[a or "" for a in axes])


def split_weight(variable):
    """A weight that is made lies as the layouts say that hold now."""
    now = _now[0]
    if now is None or now.layout_map is None:
        return
    axes = now.layout_map.axes_of(variable.name.split(":")[0])
    if axes is not None:
        _split(variable._h, axes)


def split_batch(tensors):
    now = _now[0]
    for tensor in tensors if now is not None and now.batch_dim_name else ():
        sizes = _t.shape(tensor._h)
        if sizes:
            _split(tensor._h, [now.batch_dim_name] + [None] * (len(sizes) - 1))


def list_devices(device_type=None):
    return ["tpu:" + str(i) for i in range(_t.replicas())]


def initialize(*args, **kwargs):
    pass


def distribute_tensor(value, layout):
    return value
